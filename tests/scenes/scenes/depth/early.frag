#version 450
// Counts the fragments that pass the depth test.
layout(early_fragment_tests) in;
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(binding = 0, r32ui) uniform uimage2D counts;

void main() {
  imageAtomicAdd(counts, ivec2(gl_FragCoord.xy), 1u);
  target = color;
}
