#version 450
// A strip of triangles, each with the colour that the attribute of its first vertex gives.
layout(location = 0) in uvec4 value;
layout(location = 0) flat out vec4 color;
layout(push_constant) uniform Push {
  float row;
  float rows;
};

void main() {
  vec2 at = vec2(float(gl_VertexIndex >> 1) / 8.0, (row + float(gl_VertexIndex & 1)) / rows);
  color = vec4(vec3(value.rgb & 63u) / 63.0, value.a == 0u ? 0.0 : 1.0);
  gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
