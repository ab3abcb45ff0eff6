#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) out vec4 color;

void main() {
  const vec2 corners[3] = vec2[](vec2(0.0, -0.9), vec2(-0.9, 0.8), vec2(0.9, 0.8));
  color = vec4(0.4 + 0.2 * float(gl_InstanceIndex), float(gl_VertexIndex) * 0.5, 0.5, 1.0);
  gl_ViewportIndex = gl_InstanceIndex;
  gl_Position = vec4(corners[gl_VertexIndex], 0.0, 1.0);
}
