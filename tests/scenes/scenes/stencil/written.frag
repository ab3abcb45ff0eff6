#version 450
#extension GL_ARB_shader_stencil_export : require
// A reference for the stencil test from each fragment.
layout(location = 0) in vec4 color;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  gl_FragStencilRefARB = int(uv.x * 8.0) ^ int(uv.y * 8.0) * 3;
  target = color * vec4(uv, 1.0, 1.0);
}
