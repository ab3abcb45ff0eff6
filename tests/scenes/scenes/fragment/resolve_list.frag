#version 450
// Sorts the fragments of a pixel by depth, and mixes them from back to front.
layout(location = 0) out vec4 target;
struct Node { uint next; float depth; uint color; uint unused; };
layout(std430, binding = 1) readonly buffer Nodes { Node nodes[]; };
layout(binding = 2, r32ui) readonly uniform uimage2D heads;

void main() {
  const int kMost = 24;
  uint colors[kMost];
  float depths[kMost];
  int count = 0;
  uint node = imageLoad(heads, ivec2(gl_FragCoord.xy)).r;
  while (node != 0u && count < kMost) {
    float depth = nodes[node - 1u].depth;
    int at = count;
    for (; at > 0 && depths[at - 1] < depth; --at) {
      depths[at] = depths[at - 1];
      colors[at] = colors[at - 1];
    }
    depths[at] = depth;
    colors[at] = nodes[node - 1u].color;
    ++count;
    node = nodes[node - 1u].next;
  }
  vec3 color = vec3(1.0);
  for (int i = 0; i < count; ++i) {
    vec4 layer = unpackUnorm4x8(colors[i]);
    color = mix(color, layer.rgb, layer.a);
  }
  target = vec4(color, 1.0);
}
