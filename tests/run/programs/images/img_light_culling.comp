#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Which lights reach a tile of 8 x 8 texels: a light is a box around a point, and the depth of a tile is a texel of the
// pyramid. All numbers are integers, so that nothing is close.
layout(local_size_x = 64) in;
struct Light { vec4 center_and_radius; };
layout(binding = 0) uniform texture2D pyramid;
layout(binding = 2, std430) readonly buffer Lights { Light lights[]; };
layout(binding = 3, r32ui) uniform uimage2D counts;
layout(binding = 4, r32ui) uniform uimage2DArray masks;
shared uint mask[2];
void main() {
  ivec2 tile = ivec2(gl_WorkGroupID.xy);
  if (gl_LocalInvocationIndex < 2) mask[gl_LocalInvocationIndex] = 0;
  barrier();
  vec2 range = texelFetch(pyramid, tile, 3).xy;
  vec4 light = lights[gl_LocalInvocationIndex].center_and_radius;
  vec2 low = vec2(tile) * 8.0;
  bool near_tile = all(lessThan(low - light.w, light.xy)) && all(lessThan(light.xy, low + 8.0 + light.w));
  bool near_depth = range.x - light.w < light.z && light.z < range.y + light.w;
  if (near_tile && near_depth) {
    atomicOr(mask[gl_LocalInvocationIndex / 32], 1u << (gl_LocalInvocationIndex % 32));
    imageAtomicAdd(counts, tile, 1u);
  }
  barrier();
  if (gl_LocalInvocationIndex < 2) {
    uint half_mask = mask[gl_LocalInvocationIndex];
    imageStore(masks, ivec3(tile, gl_LocalInvocationIndex), uvec4(half_mask));
  }
}
