#version 450
// Four triangles with a colour and a number for each vertex.
layout(constant_id = 0) const int kCorners = 3;
layout(location = 0) out vec3 color;
layout(location = 1) flat out int number;
const vec3 kColors[4] = vec3[](vec3(1.0, 0.2, 0.1), vec3(0.1, 0.9, 0.3), vec3(0.2, 0.3, 1.0), vec3(0.9, 0.8, 0.2));

vec3 color_of(int vertex) { return kColors[vertex % 4] * (0.6 + 0.1 * float(vertex / 4)); }

vec4 place_of(int vertex) {
  int triangle = vertex / 3, corner = vertex % 3;
  vec2 center = vec2(triangle % 2, triangle / 2) * 0.96 - vec2(0.47, 0.49);
  float angle = 2.1 * float(corner) + 0.5 * float(triangle) + 0.23;
  return vec4(center + 0.44 * vec2(cos(angle), sin(angle)), 0.0, 1.0) * (1.0 + 1.5 * float(corner));
}

void main() {
  color = color_of(gl_VertexIndex);
  number = gl_VertexIndex * 3 + 1;
  gl_PointSize = 9.0;
  gl_Position = place_of(gl_VertexIndex);
}
