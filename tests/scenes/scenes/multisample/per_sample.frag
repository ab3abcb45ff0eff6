#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  // Other colours for each sample, and rings finer than pixels.
  float ring = fract(length(gl_FragCoord.xy + gl_SamplePosition - 0.5 - 32.0) * 0.75);
  target = vec4(color.rgb * (0.25 + 0.25 * float(gl_SampleID)) * ring, 1.0);
}
