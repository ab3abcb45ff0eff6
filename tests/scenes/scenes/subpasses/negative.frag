#version 450
// The layer or view of the fragment is that of the input.
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput positive;

void main() { target = vec4(1.0 - subpassLoad(positive).rgb, 1.0); }
