#version 450
// Video of two planes: luminance at full size, chrominance at half of it, sampled where the standard has it (between
// two rows, on every other column), to RGB of BT.709.
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) uniform sampler2D planes[2];
layout(binding = 1, rgba8) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(target);
  if (any(greaterThanEqual(at, size))) return;
  float y = (texelFetch(planes[0], at, 0).r - 16.0 / 255.0) * (255.0 / 219.0);
  vec2 uv = (vec2(at) + vec2(1.0, 0.5)) / vec2(size);
  vec2 c = (textureLod(planes[1], uv, 0.0).rg - 128.0 / 255.0) * (255.0 / 224.0);
  vec3 rgb = vec3(y + 1.5748 * c.y, y - 0.1873 * c.x - 0.4681 * c.y, y + 1.8556 * c.x);
  imageStore(target, at, vec4(clamp(rgb, 0.0, 1.0), 1.0));
}
