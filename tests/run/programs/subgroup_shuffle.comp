// SPDX-License-Identifier: MIT
// What an invocation reads of another one: by its number, by the difference to its own, and within quads; where all run, and where only those
// with the same remainder do. Only invocations that run are asked. The expected value comes from the words of the subgroup's members.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

void main() {
  uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, word = word_of(i);
  uint first = gl_SubgroupID * gl_SubgroupSize, count = min(gl_SubgroupSize, 96u - first);
  uint checks = 0u;

  uint other = (word >> 7u) % count;
  if (subgroupShuffle(word, other) == word_of(first + other)) checks |= 1u;
  if (subgroupShuffle(vec2(word & 0xffffu, lane), other) == vec2(word_of(first + other) & 0xffffu, other)) checks |= 2u;
  if (subgroupShuffle((word & 8u) != 0u, other) == ((word_of(first + other) & 8u) != 0u)) checks |= 4u;
  // The same lane for all, known at run time only; and one constant.
  uint same = word_of(first) % count;
  if (subgroupShuffle(word, same) == word_of(first + same) && subgroupShuffle(word, 2u) == word_of(first + 2u)) checks |= 8u;
  if (subgroupShuffle(word_of(first), other) == word_of(first)) checks |= 16u;

  bool right = subgroupShuffleXor(word, 1u) == word_of(i ^ 1u) && subgroupShuffleXor(word, 2u) == word_of(i ^ 2u);
  for (uint mask = 4u; mask < gl_SubgroupSize; mask <<= 1u) {
    uint read = subgroupShuffleXor(word, mask);
    right = right && ((lane ^ mask) >= count || read == word_of(first + (lane ^ mask)));
  }
  uint near = subgroupShuffleXor(word, 3u), far = subgroupShuffleXor(word, 21u);
  right = right && near == word_of(i ^ 3u) && ((lane ^ 21u) >= count || far == word_of(first + (lane ^ 21u)));
  if (right) checks |= 32u;

  right = true;
  for (uint delta = 1u; delta < gl_SubgroupSize; delta = delta * 2u + 1u) {
    uint up = subgroupShuffleUp(word, delta), down = subgroupShuffleDown(word, delta);
    right = right && (lane < delta || up == word_of(i - delta)) && (lane + delta >= count || down == word_of(i + delta));
  }
  if (right) checks |= 64u;

  uint quad = i & ~3u, chosen = word_of(first) >> 3u & 3u;
  right = subgroupQuadBroadcast(word, 0u) == word_of(quad) && subgroupQuadBroadcast(word, 3u) == word_of(quad + 3u);
  right = right && subgroupQuadBroadcast(vec3(word & 0xffffu), 2u) == vec3(word_of(quad + 2u) & 0xffffu);
  if (right) checks |= 128u;
  right = subgroupQuadSwapHorizontal(word) == word_of(i ^ 1u) && subgroupQuadSwapVertical(float(lane)) == float(lane ^ 2u);
  if (right && subgroupQuadSwapDiagonal((word & 1u) != 0u) == ((word_of(i ^ 3u) & 1u) != 0u)) checks |= 256u;

  // Where some run: the next one with the same remainder, around the end.
  uint rest = word % 3u, next = lane;
  do {
    next = (next + 1u) % count;
  } while (word_of(first + next) % 3u != rest);
  if (rest == 0u) {
    right = subgroupShuffle(word, next) == word_of(first + next);
  } else if (rest == 1u) {
    right = subgroupShuffle(word * 3u, next) == word_of(first + next) * 3u && subgroupShuffleXor(word, next ^ lane) == word_of(first + next);
  } else {
    right = subgroupShuffleDown(~word, next - lane) == ~word_of(first + next);
  }
  if (right) checks |= 512u;

  // Lanes leave in different turns.
  right = true;
  for (uint turn = 0u; turn < 1u + word % 5u; ++turn) {
    uint source = lane;
    do {
      source = (source + 5u) % count;
    } while (turn >= 1u + word_of(first + source) % 5u && source != lane);
    if (turn < 1u + word_of(first + source) % 5u) right = right && subgroupShuffle(word + turn, source) == word_of(first + source) + turn;
  }
  if (right) checks |= 1024u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
