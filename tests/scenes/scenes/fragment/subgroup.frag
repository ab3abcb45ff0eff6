#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_quad : require
layout(location = 0) out vec4 target;

// Each bit is one question about the subgroup that was answered wrong.
int wrong(int value) {
  int bad = 0;
  uvec4 running = subgroupBallot(true);
  int sum = 0, before = 0, least = 0x7fffffff;
  for (uint lane = 0u; lane < gl_SubgroupSize; ++lane) {
    int other = subgroupShuffle(value, lane);
    if (!subgroupBallotBitExtract(running, lane)) continue;
    sum += other;
    if (lane < gl_SubgroupInvocationID) before += other;
    least = min(least, other);
  }
  bad |= subgroupAdd(value) != sum ? 1 : 0;
  bad |= subgroupExclusiveAdd(value) != before ? 2 : 0;
  bad |= subgroupMin(value) != least ? 4 : 0;
  bad |= subgroupAdd(1u) != subgroupBallotBitCount(running) ? 8 : 0;
  bad |= subgroupBroadcastFirst(value) != subgroupShuffle(value, subgroupBallotFindLSB(running)) ? 16 : 0;
  bad |= subgroupAll(value >= least) ? 0 : 32;
  return bad;
}

void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  int bad = wrong(at.x * 37 + at.y * 101);
  // Some of the fragments, not the same ones in each quad.
  if ((at.x * 5 + at.y * 3) % 7 < 4) bad |= wrong(at.x ^ at.y);
  // Quads are squares of pixels, and their helpers answer.
  bad |= int(subgroupQuadSwapHorizontal(gl_FragCoord.x)) != (at.x ^ 1) ? 64 : 0;
  bad |= int(subgroupQuadSwapVertical(gl_FragCoord.y)) != (at.y ^ 1) ? 128 : 0;
  bad |= int(subgroupQuadBroadcast(gl_FragCoord.x, 3u)) != (at.x | 1) ? 256 : 0;
  target = bad == 0 ? vec4(float(at.x & 7) / 7.0, float(at.y & 7) / 7.0, 1.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);
}
