// SPDX-License-Identifier: MIT
// What doubles.vert draws where its attributes agree.
#version 450
layout(location = 0) in vec2 corner;
layout(location = 0) out vec3 color;

void main() {
  gl_Position = vec4(corner, 0.0, 1.0);
  color = vec3(0.2, corner * 0.25 + 0.5);
}
