#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_spirv_intrinsics : require
// Arrays of all kinds of descriptors, indexed by what is the same in a workgroup and by what differs from lane to lane. The
// capabilities for the former are those that glslang asks for of no shader: an instruction (OpCopyObject) brings them.
layout(local_size_x = 64) in;
spirv_instruction(capabilities = [28, 29, 30, 31, 5304, 5305], id = 83) uint same(uint value);
layout(binding = 0) uniform Block { uvec4 value; } blocks[3];
layout(binding = 1, std430) readonly buffer Words { uint value[]; } buffers[3];
layout(binding = 2) uniform utexture2D images[3];
layout(binding = 3, r32ui) uniform uimage2D stored[3];
layout(binding = 4) uniform utextureBuffer texels[3];
layout(binding = 5, r32ui) uniform uimageBuffer written[3];
layout(binding = 6, std430) writeonly buffer Result { uvec4 result[]; };

void main() {
  uint i = gl_LocalInvocationIndex, group = same(gl_WorkGroupID.x) % 3u, own = (i * 7u + gl_WorkGroupID.x) % 3u;
  ivec2 at = ivec2(i & 7u, i >> 3 & 7u);
  uint uniformly = blocks[group].value[i & 3u] + buffers[group].value[i] + texelFetch(images[group], at, 0).r;
  uint read = imageLoad(stored[group], at).r + texelFetch(texels[group], int(i)).r + imageLoad(written[group], int(i)).r;
  uint by_lane = blocks[nonuniformEXT(own)].value[i & 3u] + buffers[nonuniformEXT(own)].value[i];
  uint by_lane_read = texelFetch(images[nonuniformEXT(own)], at, 0).r + imageLoad(stored[nonuniformEXT(own)], at).r +
                      texelFetch(texels[nonuniformEXT(own)], int(i)).r;
  imageStore(written[nonuniformEXT(own)], int(64u + 64u * gl_WorkGroupID.x + i), uvec4(by_lane * 3u));
  result[gl_GlobalInvocationID.x] = uvec4(uniformly, read, by_lane, by_lane_read);
}
