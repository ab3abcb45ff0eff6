// SPDX-License-Identifier: MIT
// Runtime arrays of scalars, vectors, structures and matrices, with their lengths.
#version 450
layout(local_size_x = 16) in;

struct Item {
  uint id;
  vec2 place;
  uint tags[3];
};

layout(set = 0, binding = 0) buffer Words { uint header[3]; uint words[]; };
layout(set = 0, binding = 1, std430) buffer Vectors { uvec3 vectors[]; };
layout(set = 0, binding = 2, std430) buffer Items { uint count; Item items[]; };
layout(set = 0, binding = 3, std430) buffer Grids { uint grids[][2][3]; };
layout(set = 0, binding = 4) writeonly buffer Lengths { uint lengths[8]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  if (i < words.length()) words[i] = words[i] * 2 + header[i % 3];
  if (i < vectors.length()) vectors[i] = vectors[i].zxy + uvec3(i);
  if (i < items.length()) {
    Item item = items[i];
    item.id += item.tags[i % 3];
    item.place = item.place.yx;
    item.tags[(i + 1) % 3] = 77;
    items[i] = item;
    items[i].tags[0] ^= 1;
  }
  if (i < grids.length()) {
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 3; ++x) grids[i][y][x] += uint(10 * y + x);
    }
  }
  if (i == 0) {
    lengths[0] = words.length();
    lengths[1] = vectors.length();
    lengths[2] = items.length();
    lengths[3] = grids.length();
    lengths[4] = header.length() + items[0].tags.length();
  }
}
