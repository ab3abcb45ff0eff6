#version 450
layout(location = 0) in vec4 passed;
layout(location = 1) flat in uint number;
layout(location = 3) noperspective in vec2 place;
layout(location = 0) out vec4 target;
layout(location = 1) out vec4 second;

void main() {
  if (place.x > 0.5) discard;
  target = passed * float(number);
  second = vec4(dFdx(place), gl_FragCoord.xy);
}
