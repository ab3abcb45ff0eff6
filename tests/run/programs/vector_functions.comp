// SPDX-License-Identifier: MIT
// Geometric functions and mixes of GLSL.std.450 on vectors of every size.
#version 450
layout(local_size_x = 32) in;

layout(set = 0, binding = 0, std430) readonly buffer Inputs { vec4 inputs[64]; };
layout(set = 0, binding = 1, std430) writeonly buffer Results { vec4 rows[][32]; };

void main() {
  uint i = gl_LocalInvocationID.x;
  vec4 a = inputs[2 * i];
  vec4 b = inputs[2 * i + 1];
  rows[0][i] = vec4(length(a.x), length(a.xy), length(a.xyz), length(a));
  rows[1][i] = vec4(distance(a.x, b.x), distance(a.xy, b.xy), distance(a.xyz, b.xyz), distance(a, b));
  rows[2][i] = vec4(dot(a.xy, b.yx), dot(a.xyz, b.zxy), dot(a, b), dot(a.x, b.w));
  rows[3][i] = vec4(cross(a.xyz, b.yzw), 0.0);
  rows[4][i] = normalize(a);
  rows[5][i] = vec4(normalize(a.xyz), sign(normalize(a.w)));
  rows[6][i] = vec4(normalize(b.zw), normalize(b.xy));
  rows[7][i] = faceforward(a, b, vec4(0.25, -0.5, 1.0, -0.125));
  rows[8][i] = vec4(reflect(a.xyz, normalize(b.xyz)), reflect(a.x, 1.0));
  rows[9][i] = refract(normalize(a), normalize(vec4(abs(b.xyz), -2.0)), 0.5);
  rows[10][i] = mix(a, b, 0.25);
  rows[11][i] = mix(a, b, vec4(0.0, 0.25, 0.75, 1.0));
  rows[12][i] = mix(a, b, lessThan(a, b));
  rows[13][i] = smoothstep(vec4(-1.0), vec4(1.0), a);
  rows[14][i] = smoothstep(0.0, 0.5, b);
  rows[15][i] = fma(a, b, a.wzyx);
  rows[16][i] = clamp(a * 2.0, -1.0, 1.0) + step(0.0, b);
  rows[17][i] = fract(a * 4.0) * 0.0 + max(a, b) - min(a, b);
  rows[18][i] = a.xxyy * b.zwzw + a.wzyx;
  rows[19][i] = vec4(any(greaterThan(a, b)), all(lessThanEqual(a, vec4(0.5))), any(equal(a, b)), all(notEqual(a, b)));
}
