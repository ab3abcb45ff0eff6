// SPDX-License-Identifier: MIT
// Vulkan's memory model: accesses that are made available and visible by barriers and atomics of a scope, not by qualifiers
// of the whole buffer. Each lane reads what its partner wrote before a barrier; counters are atomics of the device.
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 128) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) workgroupcoherent buffer Exchange { uint box[]; };
layout(set = 0, binding = 2) writeonly buffer Results { uint results[]; };
layout(set = 0, binding = 3) buffer Counters { uint sum, greatest, arrivals[4]; };
shared uint mirror[128];

void main() {
  uint i = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x, first = gl_WorkGroupID.x * 128u;
  box[at] = words[at] * 3u;
  mirror[i] = words[at] ^ 0x55u;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                 gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  uint partner = (i * 37u + 5u) % 128u;
  uint value = box[first + partner] + mirror[127u - partner];
  atomicAdd(sum, value & 0xffu, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  atomicMax(greatest, value, gl_ScopeDevice, 0, 0);
  uint arrived = atomicAdd(arrivals[gl_WorkGroupID.x], 1u, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer,
                           gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  results[at] = arrived < 128u ? value : 0u;
}
