// SPDX-License-Identifier: MIT
// Specialization constants of every type, a workgroup size from one, an array sized by one, and operations on them.
#version 450
layout(local_size_x_id = 0, local_size_y_id = 1, local_size_z = 1) in;
layout(constant_id = 2) const int kCount = 3;
layout(constant_id = 3) const float kScale = 1.5;
layout(constant_id = 4) const bool kFlag = true;
layout(constant_id = 5) const uint kMask = 0xffu;
layout(constant_id = 6) const int kUnset = -7;
layout(constant_id = 7) const int kSize = 4;

const int kDerived = kCount * 4 + kUnset;
const uint kShifted = (kMask << 3) ^ (kMask >> 1);
const bool kBoth = kFlag && kCount > 2;
const int kChosen = kBoth ? kDerived : -kDerived;
const ivec3 kVector = ivec3(kCount, kDerived, kChosen);
const uint kQuotient = kMask / 7u + kMask % 7u;

layout(set = 0, binding = 0) writeonly buffer Results { int results[16]; float scaled[16]; uint order[]; };

shared int sums[kSize * 2 + 8];

void main() {
  uint lane = gl_LocalInvocationIndex;
  uint total = gl_WorkGroupSize.x * gl_WorkGroupSize.y;
  if (lane < uint(sums.length())) sums[lane] = int(lane) * kCount;
  barrier();
  int local_values[kSize];
  for (int i = 0; i < kSize; ++i) local_values[i] = sums[i] + kVector[i % 3];
  if (lane == 0) {
    results[0] = kCount;
    results[1] = kDerived;
    results[2] = int(kShifted);
    results[3] = kBoth ? 1 : 0;
    results[4] = kChosen;
    results[5] = int(total);
    results[6] = sums.length();
    results[7] = local_values[kSize - 1];
    results[8] = kVector.y - kVector.z;
    results[9] = int(kQuotient);
    results[10] = int(gl_WorkGroupSize.x);
    scaled[0] = kScale * float(kCount);
  }
  if (kFlag) {
    order[gl_WorkGroupID.x * total + lane] = gl_LocalInvocationID.y * 100 + gl_LocalInvocationID.x;
  } else {
    order[gl_WorkGroupID.x * total + lane] = 7;
  }
}
