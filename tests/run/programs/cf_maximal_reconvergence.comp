// SPDX-License-Identifier: MIT
// MaximallyReconvergesKHR: which invocations run together is what the source says. Each note takes down which of the own
// sixteen come to it with this one; a C++ reference walks the same statements.
#version 450
#extension GL_EXT_spirv_intrinsics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 64) in;

spirv_execution_mode(extensions = ["SPV_KHR_maximal_reconvergence"], 6023);

layout(set = 0, binding = 0) readonly buffer Input { uint words[]; };
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; };

uint word, noted = 0u;

void note(uint what) {
  uvec4 ballot = subgroupBallot(true);
  uint first = gl_SubgroupInvocationID & ~15u;
  uint together = (first < 32u ? ballot.x >> first : ballot.y >> (first - 32u)) & 0xffffu;
  noted = noted * 1664525u + together * 31u + what;
}

bool bit(uint i) {
  return (word >> (i & 31u) & 1u) != 0u;
}

// A block that leaves the loop belongs to the turn that it leaves; who goes on early waits for the others.
void turns() {
  for (uint i = 0u; i < 9u; ++i) {
    note(1u);
    if (bit(i) && bit(i + 3u)) {
      note(2u);
      break;
    }
    if (bit(i + 1u)) {
      note(3u);
      if (bit(i + 7u)) continue;
      note(4u);
    } else {
      note(5u);
    }
    note(6u);
  }
  note(7u);
}

// Few enough to be unrolled.
void few_turns() {
  for (uint i = 0u; i < 2u; ++i) {
    if (bit(i + 12u)) {
      note(32u);
      break;
    }
  }
  note(33u);
}

// The same at both ends: one note is no other, though the code is equal.
void equal_tails() {
  if (bit(2u)) {
    noted += 3u;
    note(8u);
  } else {
    noted += 5u;
    note(8u);
  }
  note(9u);
  if (bit(4u)) note(10u);
  if (bit(4u)) note(10u);
}

// Who returns early is together with the others again after the call.
uint early(uint start) {
  for (uint i = start; i < 12u; ++i) {
    if (bit(i)) {
      note(11u);
      if (bit(i + 5u)) return i;
      note(12u);
    }
    note(13u);
  }
  return 99u;
}

// Cases that share a block, and one that leaves a loop from within a switch.
void choices() {
  for (uint i = 0u; i < 5u; ++i) {
    bool stop = false;
    switch (word >> (3u * i) & 7u) {
      case 0u:
      case 5u:
        note(14u);
        break;
      case 1u:
        note(15u);
        stop = bit(i + 20u);
        break;
      case 2u:
        if (bit(i + 9u)) break;
        note(16u);
        break;
      default:
        note(17u);
        break;
    }
    note(18u);
    if (stop) break;
    note(19u);
  }
  note(20u);
}

// Loops in loops, whose counts differ; the inner one also leaves the outer one.
void nested() {
  uint rounds = word & 3u;
  for (uint i = 0u; i <= rounds; ++i) {
    bool leave = false;
    uint j = 0u;
    do {
      note(21u);
      if (bit(i + j + 11u) && bit(j + 2u)) {
        leave = true;
        note(22u);
        break;
      }
      ++j;
    } while (j < (word >> 4 & 3u));
    note(23u);
    if (leave && bit(i)) return;
    note(24u);
  }
  note(25u);
}

// A flag that joins and parts again what a compiler may thread through.
void flags() {
  bool flag = false;
  if (bit(6u)) {
    if (bit(7u)) flag = true;
  } else {
    flag = bit(8u);
    note(26u);
  }
  if (flag) note(27u); else note(28u);
  bool both = bit(9u) && bit(10u);
  if (both || flag) note(29u);
  note(30u);
}

void main() {
  word = words[gl_GlobalInvocationID.x];
  turns();
  few_turns();
  equal_tails();
  uint found = early(word & 1u);
  note(31u + found);
  choices();
  nested();
  note(40u);
  flags();
  results[gl_GlobalInvocationID.x] = noted;
}
