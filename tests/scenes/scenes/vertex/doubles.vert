// SPDX-License-Identifier: MIT
// Attributes of 64 bits: one to four components, of which three and four take two locations, integers beside them. All say
// where a corner is; the colour tells how they disagree.
#version 450
#extension GL_ARB_gpu_shader_int64 : require

layout(location = 0) in dvec2 corner;
layout(location = 1) in double third;
layout(location = 2) in dvec3 scaled;   // and location 3
layout(location = 4) in dvec4 all;      // and location 5
layout(location = 6) in i64vec2 whole;
layout(location = 0) out vec3 color;

void main() {
  bool same = all.xy == corner && all.zw == -corner && third * 3.0lf == corner.x;
  bool right = same && scaled == dvec3(corner * 1e200lf, third) && whole == i64vec2(corner * 8.0lf) * 0x100000001l;
  gl_Position = vec4(vec2(corner), 0.0, 1.0);
  color = vec3(right ? 0.2 : 1.0, vec2(corner) * 0.25 + 0.5);
}
