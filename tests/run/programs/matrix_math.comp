// SPDX-License-Identifier: MIT
// Matrix operations of every shape: products, transposes, determinants, inverses, outer products, and quaternions.
#version 450
layout(local_size_x = 16) in;

layout(set = 0, binding = 0, std430) readonly buffer Inputs { mat4 inputs[16]; };
layout(set = 0, binding = 1, std430) writeonly buffer Results { mat4 rows[8][16]; };

vec4 quaternion_multiply(vec4 a, vec4 b) {
  return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

vec3 rotate(vec4 q, vec3 v) {
  vec3 t = 2.0 * cross(q.xyz, v);
  return v + q.w * t + cross(q.xyz, t);
}

mat3 rotation_matrix(vec4 q) {
  vec3 d = q.xyz * 2.0;
  vec3 xx = q.x * d, yy = q.y * d;
  vec3 ww = q.w * d;
  float zz = q.z * d.z;
  return mat3(1.0 - yy.y - zz, xx.y + ww.z, xx.z - ww.y,
              xx.y - ww.z, 1.0 - xx.x - zz, yy.z + ww.x,
              xx.z + ww.y, yy.z - ww.x, 1.0 - xx.x - yy.y);
}

void main() {
  uint i = gl_LocalInvocationID.x;
  mat4 m = inputs[i] + mat4(4.0);  // diagonally dominant enough to be inverted
  mat4 n = inputs[(i + 1) & 15];
  rows[0][i] = m * n;
  rows[1][i] = transpose(m) * n - n * 2.0;
  rows[2][i] = inverse(m);
  rows[3][i] = matrixCompMult(m, n) + outerProduct(m[0], n[3]);
  mat3 m3 = mat3(m);
  mat2 m2 = mat2(m[1].yz, m[2].zy);
  rows[4][i] = mat4(inverse(m3));
  rows[5][i] = mat4(vec4(determinant(m), determinant(m3), determinant(m2), determinant(inverse(mat2(m)))),
                    m * n[0], n[1] * m, vec4(inverse(mat2(m))[0], inverse(mat2(m))[1]));
  mat2x3 tall = mat2x3(m[0].xyz, n[1].yzw);
  mat3x2 wide = transpose(tall);
  mat4x2 wider = outerProduct(n[2].xy, m[3]);
  mat2 square = wide * tall;
  mat3 other = tall * wide;
  rows[6][i] = mat4(vec4(square[0], square[1]), vec4(other[0], other[1].x), vec4(other[2], other[1].y),
                    vec4(wider[3], wider * n[0]));
  vec4 q = normalize(n[0]);
  vec4 r = normalize(m[1]);
  vec3 direct = rotate(q, m[2].xyz);
  vec3 by_matrix = rotation_matrix(q) * m[2].xyz;
  rows[7][i] = mat4(quaternion_multiply(q, r), vec4(direct, 1.0), vec4(by_matrix, 0.0),
                    vec4(direct - by_matrix, length(direct) - length(m[2].xyz)));
}
