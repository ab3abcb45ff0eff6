#version 450
// Every address mode far outside of an image, at the middles of texels, by samplers and images that are apart.
layout(local_size_x = 16, local_size_y = 4) in;
layout(binding = 0) uniform sampler samplers[6];
layout(binding = 1) uniform texture2D image;
layout(binding = 2) uniform texture3D volume;
layout(binding = 3, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (vec2(at) - vec2(30, 12) + 0.5) / vec2(16, 8);
  int base = (at.y * 64 + at.x) * 7;
  for (int i = 0; i < 6; ++i) result[base + i] = textureLod(sampler2D(image, samplers[i]), uv, 0.0);
  result[base + 6] = textureLod(sampler3D(volume, samplers[1]), vec3(uv, 1.0 - uv.x), 0.0);
}
