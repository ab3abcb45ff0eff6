#version 450
struct Pair { vec2 a; float b; };
layout(location = 0) in vec4 list[4];
layout(location = 4) in mat3 matrix;
layout(location = 7) in Pair pair;
layout(location = 9, component = 0) in float red;
layout(location = 9, component = 1) in vec2 green_blue;
layout(location = 9, component = 3) in float last;
layout(location = 10) in vec3 tail[4];
layout(location = 14) flat in int whole;
layout(location = 0) out vec4 target;

void main() {
  int column = int(gl_FragCoord.x) / 16;
  int row = int(gl_FragCoord.y) / 32;
  vec3 color = vec3(red, green_blue) * last;
  if (row == 0) color = list[column].zyx * vec3(1.0, 0.5, 1.0);
  if (row == 1) color = column < 3 ? matrix[column] : vec3(pair.a, pair.b);
  if (row == 3) color = tail[column];
  target = vec4(color * (float(whole) * 0.5), 1.0);
}
