#version 450
// One of ten inputs is known at run time only: each is interpolated at the place that the pixel asks for, then one is chosen.
layout(location = 0) in vec3 colors[10];
layout(location = 0) out vec4 target;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int which = (pixel.x / 16 + pixel.y / 16 * 4) % 10;
  vec2 offset = vec2(pixel.x & 7, pixel.y & 7) / 8.0 - 0.5;
  target = vec4(interpolateAtOffset(colors[which], offset).r, interpolateAtCentroid(colors[9 - which].g), colors[which].b, 1.0);
}
