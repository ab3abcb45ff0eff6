#version 450
// One triangle over the target for each layer.
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) flat out int layer;

void main() {
  layer = gl_InstanceIndex;
  gl_Layer = gl_InstanceIndex;
  gl_Position = vec4(vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2) * 2.0 - 1.0, 0.0, 1.0);
}
