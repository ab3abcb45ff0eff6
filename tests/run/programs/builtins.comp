// SPDX-License-Identifier: MIT
// Every compute built-in, in a three-dimensional dispatch of three-dimensional workgroups.
#version 450
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;

layout(set = 0, binding = 0) writeonly buffer Records { uvec4 records[]; };

void main() {
  uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize;
  uvec3 at = gl_GlobalInvocationID;
  uint flat_index = (at.z * size.y + at.y) * size.x + at.x;
  bool consistent = at == gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID &&
                    gl_LocalInvocationIndex == gl_LocalInvocationID.z * 12 + gl_LocalInvocationID.y * 4 + gl_LocalInvocationID.x;
  records[flat_index] = uvec4(gl_WorkGroupID.x | gl_WorkGroupID.y << 8 | gl_WorkGroupID.z << 16,
                              gl_LocalInvocationID.x | gl_LocalInvocationID.y << 8 | gl_LocalInvocationID.z << 16,
                              gl_LocalInvocationIndex,
                              gl_NumWorkGroups.x * 100 + gl_NumWorkGroups.y * 10 + gl_NumWorkGroups.z + (consistent ? 1000 : 0));
}
