#version 460
// Pointers that nothing is written through, and a result that no pointer leads to: what is the same for all lanes may
// be read by the scalar unit. Where a branch diverges, a pointer may be null in the wave that takes the other side.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { Node next; uvec3 value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Packed { uint value; };
layout(push_constant) uniform Push { Words words; Node head; Words none; Packed packed; uint from; };
layout(set = 0, binding = 0, std430) readonly buffer In { uint table[16]; };
layout(set = 0, binding = 1, std430) restrict buffer Out { uint result[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, group = gl_WorkGroupID.x;
  uint sum = words.at[from + group] + words.at[2] * words.at[3];
  Node node = head;
  for (uint k = 0; k < 2 + (i & 1); ++k) {
    sum = sum * 3 + node.value.x + node.value.y * node.value.z;
    node = node.next;
  }
  Words maybe = group == 1 ? words : none;
  if (group == 1 && (i & 2) != 0) sum += maybe.at[5];
  if ((i & 4) != 0 && uint64_t(maybe) != 0ul) sum += maybe.at[6] * 7;
  sum += packed.value + table[group] * table[from];
  result[i] = sum;
}
