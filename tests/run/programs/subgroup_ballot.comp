// SPDX-License-Identifier: MIT
// Ballots and broadcasts, where all invocations of a subgroup run, in a branch, and in a loop that they leave in different turns, and
// everything that a ballot can be asked. The expected mask comes from the words of the subgroup's members, bit by bit.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

/// Bit k of the mask: lane k runs where these remainders agree, and its word has this bit.
uvec4 expected(uint first, uint end, uint divisor, uint remainder, uint bit) {
  uvec4 mask = uvec4(0u);
  for (uint k = first; k < end; ++k) {
    uint word = word_of(k), lane = k - first;
    if (word % divisor == remainder && (word >> bit & 1u) != 0u) mask[lane / 32u] |= 1u << lane % 32u;
  }
  return mask;
}

bool bit_of(uvec4 mask, uint lane) { return (mask[lane / 32u] >> lane % 32u & 1u) != 0u; }

uint count_before(uvec4 mask, uint lane) {
  uint count = 0u;
  for (uint k = 0u; k < lane; ++k) count += bit_of(mask, k) ? 1u : 0u;
  return count;
}

void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, word = word_of(i);
  uint first = gl_SubgroupID * gl_SubgroupSize, end = min(first + gl_SubgroupSize, 96u);
  uint checks = 0u;

  uvec4 mask = expected(first, end, 1u, 0u, 4u), ballot = subgroupBallot((word >> 4u & 1u) != 0u);
  if (ballot == mask) checks |= 1u;
  if (subgroupInverseBallot(ballot) == ((word >> 4u & 1u) != 0u)) checks |= 2u;
  bool bits = true;
  for (uint k = 0u; k < gl_SubgroupSize; ++k) bits = bits && subgroupBallotBitExtract(ballot, k) == bit_of(mask, k);
  if (bits) checks |= 4u;

  uint all = count_before(mask, gl_SubgroupSize), below = count_before(mask, lane);
  if (subgroupBallotBitCount(ballot) == all) checks |= 8u;
  if (subgroupBallotExclusiveBitCount(ballot) == below) checks |= 16u;
  if (subgroupBallotInclusiveBitCount(ballot) == below + (bit_of(mask, lane) ? 1u : 0u)) checks |= 32u;

  // With a bit of its own a ballot is never empty.
  uvec4 some = subgroupBallot((word >> 4u & 1u) != 0u || lane == 2u), members = mask;
  members[0] |= 4u;
  uint lowest = 128u, highest = 0u;
  for (uint k = 0u; k < gl_SubgroupSize; ++k) {
    if (!bit_of(members, k)) continue;
    lowest = min(lowest, k);
    highest = k;
  }
  if (subgroupBallotFindLSB(some) == lowest && subgroupBallotFindMSB(some) == highest) checks |= 64u;

  uvec4 before = uvec4(0u), all_lanes = uvec4(0u), own = uvec4(0u);
  own[lane / 32u] = 1u << lane % 32u;
  for (uint k = 0u; k < gl_SubgroupSize; ++k) {
    all_lanes[k / 32u] |= 1u << k % 32u;
    if (k < lane) before[k / 32u] |= 1u << k % 32u;
  }
  bool masks = gl_SubgroupEqMask == own && gl_SubgroupLtMask == before && gl_SubgroupLeMask == (before | own) &&
               gl_SubgroupGeMask == (all_lanes & ~before) && gl_SubgroupGtMask == (all_lanes & ~(before | own));
  if (masks) checks |= 128u;

  if (subgroupBroadcastFirst(word) == word_of(first) && subgroupBroadcast(vec2(word & 0xffffu, lane), 3u) == vec2(word_of(first + 3u) & 0xffffu, 3.0)) {
    checks |= 256u;
  }
  if (subgroupBroadcast((word & 2u) != 0u, 1u) == ((word_of(first + 1u) & 2u) != 0u)) checks |= 512u;

  uint rest = word % 3u;
  uvec4 in_branch = expected(first, end, 3u, rest, 6u);
  uvec4 runs = uvec4(0u);
  for (uint k = first; k < end; ++k) {
    if (word_of(k) % 3u == rest) runs[(k - first) / 32u] |= 1u << (k - first) % 32u;
  }
  bool right = false;
  if (rest == 0u) {
    right = subgroupBallot((word >> 6u & 1u) != 0u) == in_branch && subgroupBallot(true) == runs;
  } else if (rest == 1u) {
    right = subgroupBallot((word >> 6u & 1u) != 0u) == in_branch && subgroupBallotExclusiveBitCount(subgroupBallot(true)) == count_before(runs, lane);
  } else {
    right = subgroupBallot((word >> 6u & 1u) == 0u) == (runs & ~in_branch);
  }
  if (right) checks |= 1024u;

  right = true;
  for (uint turn = 0u; turn < 1u + word % 5u; ++turn) {
    uvec4 still = uvec4(0u);
    for (uint k = first; k < end; ++k) {
      if (turn < 1u + word_of(k) % 5u) still[(k - first) / 32u] |= 1u << (k - first) % 32u;
    }
    right = right && subgroupBallot(true) == still && subgroupBroadcastFirst(lane) == subgroupBallotFindLSB(still);
  }
  if (right) checks |= 2048u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
