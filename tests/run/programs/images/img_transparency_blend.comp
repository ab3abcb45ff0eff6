#version 450
// Second pass: the list of a texel is sorted by depth, which differs for all fragments, and blended from the back in
// fixed point.
layout(local_size_x = 8, local_size_y = 8) in;
struct Node { uint color; uint depth; uint next; };
layout(binding = 0, r32ui) uniform readonly uimage2D heads;
layout(binding = 1, std430) readonly buffer Nodes { uint count; Node nodes[]; };
layout(binding = 3, rgba8ui) uniform writeonly uimage2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  uvec2 sorted[16];
  int size = 0;
  for (uint node = imageLoad(heads, at).r; node != 0u && size < 16; node = nodes[node - 1u].next) {
    uvec2 entry = uvec2(nodes[node - 1u].depth, nodes[node - 1u].color);
    int place = size++;
    for (; place > 0 && sorted[place - 1].x < entry.x; --place) sorted[place] = sorted[place - 1];
    sorted[place] = entry;
  }
  uvec3 color = uvec3(20, 30, 40);
  for (int i = 0; i < size; ++i) {
    uvec4 source = (uvec4(sorted[i].y) >> uvec4(0, 8, 16, 24)) & 255u;
    color = (source.rgb * source.a + color * (255u - source.a)) / 255u;
  }
  imageStore(target, at, uvec4(color, size));
}
