// SPDX-License-Identifier: MIT
// Sphere tracing of a signed distance field with a fixed number of steps; the image is the clamped distance travelled and
// a smooth shade, both continuous almost everywhere.
#version 450
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) writeonly buffer Image { vec2 image[]; };
layout(push_constant) uniform Camera { vec3 eye; uint width; };

float sphere(vec3 p, vec3 centre, float radius) { return length(p - centre) - radius; }

float box(vec3 p, vec3 centre, vec3 half_size) {
  vec3 q = abs(p - centre) - half_size;
  return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float smooth_union(float a, float b, float k) {
  float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
  return mix(b, a, h) - k * h * (1.0 - h);
}

float scene(vec3 p) {
  float d = smooth_union(sphere(p, vec3(-0.6, 0.1, 3.0), 0.9), box(p, vec3(0.7, -0.2, 3.2), vec3(0.6, 0.5, 0.4)), 0.3);
  return min(d, p.y + 1.0);
}

vec3 normal(vec3 p) {
  const vec2 e = vec2(0.0625, 0.0);
  return normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy),
                        scene(p + e.yyx) - scene(p - e.yyx)));
}

void main() {
  vec2 screen = (vec2(gl_GlobalInvocationID.xy) + 0.5) / 16.0 - 1.0;
  vec3 direction = normalize(vec3(screen.x, -screen.y, 1.5));
  float travelled = 0.0;
  for (int i = 0; i < 24; ++i) travelled = min(travelled + 0.75 * scene(eye + direction * travelled), 8.0);
  vec3 p = eye + direction * travelled;
  float light = 0.5 + 0.5 * dot(normal(p), normalize(vec3(0.5, 0.8, -0.4)));
  image[gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x] = vec2(travelled, light);
}
