#version 450
#extension GL_ARB_sparse_texture2 : require
// Texels that are not there: what samples, fetches, gathers, comparisons and reads of them give, with their residency
// codes; writes and atomics leave them alone.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform sampler2DShadow depth;
layout(binding = 2, r32ui) uniform uimage2D cells;
layout(binding = 3, std430) writeonly buffer Results { vec4 results[]; };

float flag(int code) {
  return sparseTexelsResidentARB(code) ? 1.0 : 0.0;
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 uv = (vec2(at) + 0.75) / 32.0;
  vec4 sampled = vec4(0), fetched = vec4(0), gathered = vec4(0);
  float compared = 0.0;
  uvec4 cell = uvec4(0);
  int of_sample = sparseTextureLodARB(plane, uv, 0.0, sampled);
  int of_compare = sparseTextureLodARB(depth, vec3(uv, 0.25), 0.0, compared);
  int of_gather = sparseTextureGatherARB(plane, uv, gathered);
  int of_fetch = sparseTexelFetchARB(plane, at, 0, fetched);
  int of_read = sparseImageLoadARB(cells, at, cell);
  imageStore(cells, at, uvec4(cell.x + 1000));
  memoryBarrierImage();
  uint before = imageAtomicAdd(cells, at, uint(at.x));
  uint i = uint(at.y * 32 + at.x) * 3;
  results[i] = vec4(sampled.r, compared, fetched.r, float(cell.x));
  results[i + 1] = gathered;
  bool added = before == cell.x + 1000;
  results[i + 2] = vec4(flag(of_sample), flag(of_compare), flag(of_gather),
                        flag(of_fetch) + flag(of_read) + (added ? 1.0 : 0.0));
}
