#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

void main() {
  // Fragments outside of a disc go on as helpers: the derivative at its rim is right.
  float away = length(uv - 0.5);
  if (away > 0.45) demote;
  float slope = abs(dFdxFine(away)) + abs(dFdyFine(away));
  bool hidden = helperInvocationEXT();
  target = vec4(hidden ? 1.0 : 0.0, slope * 60.0, away * 2.0, 1.0);
}
