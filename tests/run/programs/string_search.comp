// SPDX-License-Identifier: MIT
// Counts the occurrences of a pattern (Knuth-Morris-Pratt) in one text per invocation; the failure table is shared.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Text { uint text[]; };     // values 0 and 1, 128 for each invocation
layout(set = 0, binding = 1) readonly buffer Pattern { uint pattern[]; };
layout(set = 0, binding = 2) writeonly buffer Matches { uvec2 matches[]; };  // count, place of the first

shared uint failure[16];

void build_failure_table(uint size) {
  failure[0] = 0;
  uint k = 0;
  for (uint i = 1; i < size; ++i) {
    while (k > 0 && pattern[k] != pattern[i]) k = failure[k - 1];
    if (pattern[k] == pattern[i]) ++k;
    failure[i] = k;
  }
}

void main() {
  uint size = pattern.length();
  if (gl_LocalInvocationIndex == 0) build_failure_table(size);
  barrier();
  uint base = gl_GlobalInvocationID.x * 128;
  uint matched = 0;
  uint count = 0;
  uint first = ~0u;
  for (uint i = 0; i < 128; ++i) {
    uint letter = text[base + i];
    while (matched > 0 && pattern[matched] != letter) matched = failure[matched - 1];
    if (pattern[matched] == letter) ++matched;
    if (matched == size) {
      if (count++ == 0) first = i + 1 - size;
      matched = failure[matched - 1];
    }
  }
  matches[gl_GlobalInvocationID.x] = uvec2(count, first);
}
