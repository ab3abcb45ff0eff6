#version 450
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 sum;
layout(location = 1) out float revealed;

void main() {
  float weight = clamp(3.0 - 2.5 * gl_FragCoord.z, 0.1, 3.0);
  sum = vec4(color.rgb * color.a, color.a) * weight;
  revealed = color.a;
}
