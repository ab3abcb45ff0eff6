#version 450
#extension GL_ARB_post_depth_coverage : require
// How many samples are left after the depth test, as a brightness.
layout(early_fragment_tests) in;
layout(post_depth_coverage) in;
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  target = vec4(color.rgb * float(bitCount(gl_SampleMaskIn[0])) * 0.25, 1.0);
}
