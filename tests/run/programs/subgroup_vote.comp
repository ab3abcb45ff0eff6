// SPDX-License-Identifier: MIT
// Votes, where all invocations of a subgroup run, in a branch, and in a loop that they leave in different turns. Each is compared with
// what the words of the subgroup's members give, so that no result depends on the size.
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 96) in;

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word_of(uint i) { return words[gl_WorkGroupID.x * 96u + i]; }

bool predicate(uint kind, uint word, uint group) {
  switch (kind) {
    case 0u: return (word & 1u) != 0u;
    case 1u: return word % 97u != 3u;
    case 2u: return (group & 1u) == 0u;
    default: return word % 97u == 3u;
  }
}

void main() {
  uint i = gl_LocalInvocationIndex, group = gl_SubgroupID, word = word_of(i);
  uint first = group * gl_SubgroupSize, end = min(first + gl_SubgroupSize, 96u);
  uint checks = 0u;

  for (uint kind = 0u; kind < 4u; ++kind) {
    bool all = true, any = false;
    for (uint k = first; k < end; ++k) {
      bool p = predicate(kind, word_of(k), group);
      all = all && p;
      any = any || p;
    }
    bool own = predicate(kind, word, group);
    if (subgroupAll(own) == all && subgroupAny(own) == any && subgroupAllEqual(own) == (all || !any)) checks |= 1u << kind;
  }

  bool same_word = true, same_half = true;
  for (uint k = first; k < end; ++k) {
    same_word = same_word && word_of(k) == word_of(first);
    same_half = same_half && word_of(k) % 2u == word_of(first) % 2u;
  }
  if (subgroupAllEqual(word) == same_word && subgroupAllEqual(vec2(word % 2u, 1.0)) == same_half) checks |= 16u;
  // Zeros are equal whatever their sign.
  if (subgroupAllEqual(uintBitsToFloat(word << 31)) && subgroupAllEqual(uvec3(group, 5u, first))) checks |= 32u;

  if (word % 3u == 1u) {
    bool all = true, any = false;
    for (uint k = first; k < end; ++k) {
      bool runs = word_of(k) % 3u == 1u;
      all = all && (!runs || word_of(k) % 5u != 2u);
      any = any || (runs && word_of(k) % 13u == 2u);
    }
    if (subgroupAll(word % 5u != 2u) == all && subgroupAny(word % 13u == 2u) == any) checks |= 64u;
  } else {
    bool all = subgroupAll(word % 3u != 1u), none = !subgroupAny(word % 3u == 1u);
    if (all && none) checks |= 64u;
  }

  bool right = true;
  for (uint turn = 0u; turn < word % 7u; ++turn) {
    bool any = false, all = true;
    for (uint k = first; k < end; ++k) {
      bool runs = turn < word_of(k) % 7u, p = (word_of(k) >> (turn + 8u) & 3u) == 0u;
      any = any || (runs && p);
      all = all && (!runs || p);
    }
    bool own = (word >> (turn + 8u) & 3u) == 0u;
    right = right && subgroupAny(own) == any && subgroupAll(own) == all;
    // A vote decides for all: who breaks here breaks together.
    if (subgroupAll(word % 7u == 6u)) break;
  }
  if (right) checks |= 128u;
  results[gl_WorkGroupID.x * 96u + i] = checks;
}
