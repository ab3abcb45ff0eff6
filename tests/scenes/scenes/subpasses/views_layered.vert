#version 450
// What ../layers/multiview.vert draws, with instances as layers instead of views.
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) out vec4 color;

void main() {
  vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 0.8 - 0.7;
  color = vec4(0.4, float(gl_VertexIndex) / 3.0, 0.3 + 0.6 * float(gl_InstanceIndex), 1.0);
  gl_Layer = gl_InstanceIndex;
  gl_Position = vec4(at + 0.3 * float(gl_InstanceIndex), 0.0, 1.0);
}
