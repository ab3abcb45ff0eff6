#version 450
// The number of the sample is in the interface, and nothing reads it: each sample has an invocation all the same.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;
layout(constant_id = 0) const bool kNever = false;
layout(binding = 0) buffer Counts { uint invocations; } counts;

void main() {
  atomicAdd(counts.invocations, 1);
  target = color;
  if (kNever) target.a = float(gl_SampleID);
}
