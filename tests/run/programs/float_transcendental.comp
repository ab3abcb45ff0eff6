// SPDX-License-Identifier: MIT
// Every transcendental function of GLSL.std.450 on a column of inputs; row r of the result is function r.
#version 450
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) readonly buffer Inputs { float unit[64]; float wide[64]; float positive[64]; };
layout(set = 0, binding = 1) writeonly buffer Results { float rows[][64]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  float u = unit[i];       // -1 to 1
  float w = wide[i];       // -3 to 3
  float p = positive[i];   // 0.0625 to 16
  rows[0][i] = sin(w);
  rows[1][i] = cos(w);
  rows[2][i] = tan(u);
  rows[3][i] = asin(u);
  rows[4][i] = acos(u);
  rows[5][i] = atan(w);
  rows[6][i] = atan(w, u);
  rows[7][i] = atan(w, -p);
  rows[8][i] = asinh(w);
  rows[9][i] = acosh(p + 1.0);
  rows[10][i] = atanh(u * 0.875);
  rows[11][i] = sinh(w);
  rows[12][i] = cosh(w);
  rows[13][i] = tanh(w);
  rows[14][i] = exp(w);
  rows[15][i] = exp2(w);
  rows[16][i] = log(p);
  rows[17][i] = log2(p);
  rows[18][i] = pow(p, w);
  rows[19][i] = sqrt(p);
  rows[20][i] = inversesqrt(p);
  rows[21][i] = radians(w * 60.0);
  rows[22][i] = degrees(w);
  rows[23][i] = 1.0 / p;
  rows[24][i] = w / p;
  // Few products do for these powers.
  rows[25][i] = pow(p, 1.0);
  rows[26][i] = pow(p, 2.0);
  rows[27][i] = pow(p, 3.0);
  rows[28][i] = pow(p, 4.0);
  rows[29][i] = pow(p, 5.0);
  rows[30][i] = pow(p, 6.0);
  rows[31][i] = pow(p, 7.0);
  rows[32][i] = pow(p, 8.0);
  rows[33][i] = sqrt(p) * sqrt(p);
}
