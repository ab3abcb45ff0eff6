#version 450
layout(location = 0) in vec2 center_uv;
layout(location = 1) centroid in vec2 centroid_uv;
layout(location = 0) out vec4 target;
layout(constant_id = 0) const int kMode = 0;

void main() {
  vec2 uv = center_uv;
  if (kMode == 1) uv = centroid_uv;
  if (kMode == 2) uv = interpolateAtCentroid(center_uv);
  if (kMode == 3) uv = interpolateAtOffset(center_uv, vec2(0.25, -0.375));
  if (kMode == 4) uv = interpolateAtSample(center_uv, 2);
  // Outside of the triangle, where only the middle of a pixel can be, red.
  bool outside = min(min(uv.x, uv.y), 1.0 - uv.x - uv.y) < 0.0;
  target = outside ? vec4(1.0, 0.0, 0.0, 1.0) : vec4(0.2, 0.3 + 0.7 * uv, 1.0);
}
