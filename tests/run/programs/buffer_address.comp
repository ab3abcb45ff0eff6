#version 460
// Pointers to buffers in push constants and in buffers: a linked list, pointers that lanes choose, matrices, arithmetic.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uint value; uint pad; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Shapes {
  layout(row_major) mat3x4 turned[2];
  vec4 v;
};
layout(push_constant) uniform Push { Words words; Node head; Shapes shapes; uint base; uint pad; };
layout(set = 0, binding = 0, std430) buffer Tables { Words table[4]; };
layout(set = 0, binding = 1, std430) buffer Out { uint result[]; };

uint element(Words from, uint i) { return from.at[i]; }

float first_row(Shapes s, uint i) { return dot(vec3(s.turned[i][0].x, s.turned[i][1].x, s.turned[i][2].x), s.v.xyz); }

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = words.at[i];
  Node node = head;
  for (uint k = 0; k < i % 5; ++k) {
    sum = sum * 3 + node.value;
    node = node.next;
  }
  Words chosen = (i & 1) == 0 ? words : table[i & 3];
  sum += chosen.at[i * 2];
  Words walk = chosen;
  for (uint k = 0; k < (i & 7); ++k) walk = table[(k + i) & 3];
  sum ^= element(walk, i) + element(words, 5);
  vec3 turned = shapes.v * shapes.turned[i & 1];
  sum += uint(turned.x + 2.0 * turned.y + 4.0 * turned.z) + uint(first_row(shapes, i & 1));
  words.at[base + (i ^ 3)] = sum;
  result[i] = sum;
}
