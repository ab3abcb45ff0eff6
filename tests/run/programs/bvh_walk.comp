// SPDX-License-Identifier: MIT
// Nearest hit of parallel rays with triangles, by a bounding volume hierarchy and an explicit stack. Vertices lie on
// integer coordinates and rays on half ones, so that every inside test is exact.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

struct Node {
  vec4 low;   // w: first child, or ~first triangle in a leaf
  vec4 high;  // w: number of triangles in a leaf, 0 otherwise
};

struct Triangle {
  vec3 a;
  vec3 b;
  vec3 c;
};

layout(set = 0, binding = 0, std430) readonly buffer Nodes { Node nodes[]; };
layout(set = 0, binding = 1, std430) readonly buffer Triangles { Triangle triangles[]; };
layout(set = 0, binding = 2) writeonly buffer Ids { int ids[]; };
layout(set = 0, binding = 3) writeonly buffer Depths { float depths[]; };
layout(set = 0, binding = 4) writeonly buffer Visits { uint visits[]; };

float edge(vec2 a, vec2 b, vec2 p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); }

bool hit_triangle(Triangle t, vec2 ray, inout float nearest) {
  float wa = edge(t.b.xy, t.c.xy, ray);
  float wb = edge(t.c.xy, t.a.xy, ray);
  float wc = edge(t.a.xy, t.b.xy, ray);
  float area = wa + wb + wc;
  if (area < 0.0) {
    wa = -wa; wb = -wb; wc = -wc; area = -area;
  }
  if (area == 0.0 || wa < 0.0 || wb < 0.0 || wc < 0.0) return false;
  float z = (wa * t.a.z + wb * t.b.z + wc * t.c.z) / area;
  if (z >= nearest) return false;
  nearest = z;
  return true;
}

void main() {
  vec2 ray = vec2(gl_GlobalInvocationID.xy) * 2.0 + 0.5;
  uint stack[24];
  uint top = 0;
  stack[top++] = 0;
  float nearest = 1.0e9;
  int hit = -1;
  uint visited = 0;
  while (top != 0) {
    Node node = nodes[stack[--top]];
    ++visited;
    if (any(lessThan(ray, node.low.xy)) || any(greaterThan(ray, node.high.xy))) continue;
    uint count = uint(node.high.w);
    if (count == 0) {
      uint child = uint(node.low.w);
      stack[top++] = child + 1;
      stack[top++] = child;
      continue;
    }
    int first = ~int(node.low.w);
    for (int i = first; i < first + int(count); ++i) {
      if (hit_triangle(triangles[i], ray, nearest)) hit = i;
    }
  }
  uint index = gl_GlobalInvocationID.y * 32 + gl_GlobalInvocationID.x;
  ids[index] = hit;
  depths[index] = nearest;
  visits[index] = visited;
}
