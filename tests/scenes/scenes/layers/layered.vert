#version 450
// Each instance goes to its own layer.
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) out vec4 color;

void main() {
  const vec2 corners[3] = vec2[](vec2(0.0, -0.85), vec2(-0.8, 0.75), vec2(0.8, 0.75));
  float angle = float(gl_InstanceIndex) * 0.7;
  mat2 turn = mat2(cos(angle), sin(angle), -sin(angle), cos(angle));
  color = vec4(0.5 + 0.5 * cos(float(gl_InstanceIndex) * 1.5 + vec3(0.0, 2.0, 4.0)), 1.0);
  gl_Layer = gl_InstanceIndex;
  gl_Position = vec4(turn * corners[gl_VertexIndex], 0.0, 1.0);
}
