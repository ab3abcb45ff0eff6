#version 450
// One of twenty inputs, known at run time only, interpolated away from the centre of the pixel.
layout(location = 0) in float heights[20];
layout(location = 0) out vec4 target;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  int which = (pixel.x / 8 + pixel.y / 8 * 3) % 20;
  vec2 offset = vec2(pixel.x & 7, pixel.y & 7) / 8.0 - 0.5;
  target = vec4(interpolateAtOffset(heights[which], offset), interpolateAtCentroid(heights[19 - which]), heights[which], 1.0);
}
