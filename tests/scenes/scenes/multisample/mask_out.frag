#version 450
// Every column of eight pixels writes other samples.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 target;

void main() {
  int column = int(gl_FragCoord.x) / 8;
  gl_SampleMask[0] = (1 << (column % 5)) - 1 & gl_SampleMaskIn[0];
  target = color;
}
