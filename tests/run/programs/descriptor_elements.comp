// SPDX-License-Identifier: MIT
// Stores to and loads from elements of one array of storage blocks, which are memory of their own where their indices are
// different constants; an index that varies may be any of them.
#version 450
layout(local_size_x = 32) in;

layout(binding = 0) buffer Data { uint values[]; } data[3];
layout(push_constant) uniform Choice { uint chosen; };

void main() {
  uint i = gl_GlobalInvocationID.x * 4;
  uint x = data[0].values[i];
  // Overwritten before anybody reads it, though another element is read in between.
  data[0].values[i] = 1;
  uint y = data[1].values[i];
  data[0].values[i] = x * 3;
  // Seen again, though another element was written.
  data[1].values[i] = y + 5;
  data[2].values[i] = data[0].values[i] + y;
  // Any of the three.
  data[chosen].values[i] += 100;
  data[2].values[i + 1] = data[0].values[i] ^ data[1].values[i] * 7;
  data[0].values[i + 2] = 11;
  data[1].values[i + 2] = data[chosen].values[i + 2];
  data[chosen].values[i + 2] = 12;
  data[2].values[i + 3] = data[1].values[i + 2] + data[0].values[i + 2];
}
