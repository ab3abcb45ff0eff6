#version 450
// The input is known at run time only, and so is where it is interpolated.
layout(location = 0) in vec3 colors[4];
layout(location = 0) out vec4 target;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int which = (pixel.x / 16 + pixel.y / 16) & 3;
  vec2 offset = vec2(pixel.x & 7, pixel.y & 7) / 8.0 - 0.5;
  target = vec4(interpolateAtOffset(colors[which], offset)[pixel.x / 16 % 3], interpolateAtCentroid(colors[3 - which]).gb, 1.0);
}
