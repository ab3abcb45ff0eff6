#version 450
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform usubpassInput stencil;
layout(input_attachment_index = 0, binding = 1) uniform subpassInput depth;

void main() {
  uint count = subpassLoad(stencil).r;
  target = vec4(float(count) * 0.3, float(count & 1u), subpassLoad(depth).r, 1.0);
}
