#version 450
// Arrays, a matrix, structs and components that share a location.
struct Pair { vec2 a; float b; };
layout(location = 0) out vec4 list[4];
layout(location = 4) out mat3 matrix;
layout(location = 7) out Pair pair;
layout(location = 9, component = 0) out float red;
layout(location = 9, component = 1) out vec2 green_blue;
layout(location = 9, component = 3) out float last;
layout(location = 10) out vec3 tail[4];
layout(location = 14) flat out int whole;

void main() {
  vec2 uv = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
  for (int i = 0; i < 4; ++i) list[i] = vec4(uv, uv.yx) * float(i + 1) * 0.25;
  matrix = mat3(uv.x, 0.1, 0.2, 0.3, uv.y, 0.4, 0.5, 0.6, uv.x * 0.5);
  pair = Pair(uv * 0.5, 0.25 + 0.25 * uv.x);
  red = uv.x;
  green_blue = uv.yx * vec2(0.7, 0.3);
  last = 1.0 - 0.25 * uv.y;
  whole = gl_VertexIndex + 2;
  for (int i = 0; i < 4; ++i) tail[i] = vec3(uv, float(i)) / float(i + 2);
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
