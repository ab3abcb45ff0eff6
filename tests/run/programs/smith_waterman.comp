// SPDX-License-Identifier: MIT
// Smith-Waterman local alignment: each workgroup aligns one pair of sequences of 64 letters, one anti-diagonal at a time.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Letters { uint letters[]; };  // values 0 to 3
layout(set = 0, binding = 1) buffer Scores { uint scores[]; };

const int kMatch = 3;
const int kMismatch = -2;
const int kGap = 2;

shared int diagonals[3][65];
shared uint best;
shared uint other[64];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint pair = gl_WorkGroupID.x;
  uint mine = letters[pair * 128 + lane];
  other[lane] = letters[pair * 128 + 64 + lane];
  for (uint d = 0; d < 3; ++d) diagonals[d][lane + 1] = 0;
  if (lane < 3) diagonals[lane][0] = 0;
  if (lane == 0) best = 0;
  int highest = 0;
  for (uint step = 0; step < 127; ++step) {
    barrier();
    uint now = step % 3;
    uint last = (step + 2) % 3;
    uint before = (step + 1) % 3;
    int column = int(step) - int(lane);
    int score = 0;
    if (column >= 0 && column < 64) {
      score = max(score, diagonals[before][lane] + (mine == other[column] ? kMatch : kMismatch));
      score = max(score, max(diagonals[last][lane], diagonals[last][lane + 1]) - kGap);
    }
    diagonals[now][lane + 1] = score;
    highest = max(highest, score);
  }
  atomicMax(best, uint(highest));
  barrier();
  if (lane == 0) scores[pair] = best;
}
