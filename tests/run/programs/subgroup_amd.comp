// SPDX-License-Identifier: MIT
// GL_AMD_shader_ballot and GL_AMD_gcn_shader beside what the subgroup operations of Vulkan give; each bit of a result is
// one question that was answered right.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_ARB_shader_ballot : require
#extension GL_AMD_shader_ballot : require
#extension GL_AMD_gcn_shader : require
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { uint inputs[128]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[128]; vec4 places[128]; };

// What an invocation that does not run gives is 0.
uint read(uint value, uint lane) {
  uvec4 running = subgroupBallot(true);
  uint other = subgroupShuffle(value, lane);
  return subgroupBallotBitExtract(running, lane) ? other : 0;
}

uint check(uint x) {
  uint right = 0, id = gl_SubgroupInvocationID;
  const uint order[4] = {2, 3, 0, 0};
  right |= swizzleInvocationsAMD(x, uvec4(2, 3, 0, 0)) == read(x, (id & ~3u) | order[id & 3]) ? 1 : 0;
  right |= swizzleInvocationsMaskedAMD(x, uvec3(0x1c, 1, 9)) == read(x, (((id & 0x3c) | 1) ^ 9)) ? 2 : 0;
  right |= swizzleInvocationsAMD(float(x >> 8), uvec4(1, 0, 3, 2)) == float(read(x, id ^ 1) >> 8) ? 4 : 0;
  right |= writeInvocationAMD(x, x + 1, 5) == (id == 5 ? x + 1 : x) ? 8 : 0;
  uvec4 odd = subgroupBallot((x & 1) == 1);
  uint64_t mask = packUint2x32(odd.xy);
  right |= mbcntAMD(mask) == subgroupBallotExclusiveBitCount(odd) ? 16 : 0;
  right |= addInvocationsNonUniformAMD(x) == subgroupAdd(x) ? 32 : 0;
  right |= minInvocationsNonUniformAMD(int(x)) == subgroupMin(int(x)) ? 64 : 0;
  right |= maxInvocationsNonUniformAMD(float(x >> 8)) == subgroupMax(float(x >> 8)) ? 128 : 0;
  right |= addInvocationsExclusiveScanNonUniformAMD(x) == subgroupExclusiveAdd(x) ? 256 : 0;
  right |= maxInvocationsInclusiveScanNonUniformAMD(x) == subgroupInclusiveMax(x) ? 512 : 0;
  return right;
}

void main() {
  uint i = gl_GlobalInvocationID.x, x = inputs[i];
  uint64_t start = timeAMD();
  uint right = check(x);
  right |= start <= timeAMD() ? 4096 : 0;
  right |= addInvocationsAMD(x) == subgroupAdd(x) ? 1024 : 0;
  right |= minInvocationsAMD(x) == subgroupMin(x) ? 2048 : 0;
  // Some of the invocations, and not the neighbours in each quad.
  uint some = 0x3ff;
  if ((x & 3) != 1) some = check(x * 5);
  results[i] = right & (some | 0x1c00);
  // Major components that are powers of two, so that the division is exact.
  float major = exp2(float(x >> 4 & 3));
  vec2 minor = (vec2(x >> 8 & 15, x >> 12 & 15) - 8) / 16;
  float value = (x & 1) == 1 ? -major : major;
  uint axis = (x >> 20) % 3;
  vec3 direction = axis == 0 ? vec3(value, minor) : axis == 1 ? vec3(minor.x, value, minor.y) : vec3(minor, value);
  places[i] = vec4(cubeFaceIndexAMD(direction), cubeFaceCoordAMD(direction), 0);
}
