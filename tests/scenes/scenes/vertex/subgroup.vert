#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(location = 0) out vec4 color;

bool right(int value) {
  uvec4 running = subgroupBallot(true);
  int sum = 0, through = 0, most = -1;
  for (uint lane = 0u; lane < gl_SubgroupSize; ++lane) {
    int other = subgroupShuffle(value, lane);
    if (!subgroupBallotBitExtract(running, lane)) continue;
    sum += other;
    if (lane <= gl_SubgroupInvocationID) through += other;
    most = max(most, other);
  }
  return subgroupAdd(value) == sum && subgroupInclusiveAdd(value) == through && subgroupMax(value) == most;
}

void main() {
  int i = gl_VertexIndex;
  bool good = right(i * 7 + 3);
  if (i % 3 != 1) good = right(i * i) && good;
  float angle = 0.37 * float(i), radius = 0.2 + 0.007 * float(i);
  gl_Position = vec4(radius * cos(angle), radius * sin(angle), 0.0, 1.0);
  color = good ? vec4(float(i) / 96.0, 0.5, 1.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);
}
