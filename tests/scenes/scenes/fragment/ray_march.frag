#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;

float box(vec3 p, vec3 size) {
  vec3 q = abs(p) - size;
  return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float distance_to_scene(vec3 p) {
  float ball = length(p - vec3(0.0, 0.6, 0.0)) - 0.6;
  float block = box(p - vec3(0.0, 0.5, 0.0), vec3(0.45)) - 0.03;
  float hollow = max(block, -ball);
  float ring = length(vec2(length(p.xz) - 1.1, p.y - 0.25)) - 0.2;
  return min(min(hollow, ring), p.y);
}

void main() {
  vec3 eye = vec3(1.6, 1.9, 2.9);
  vec3 back = normalize(eye - vec3(0.0, 0.35, 0.0));
  vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), back));
  vec3 up = cross(back, right);
  vec2 at = uv * 2.0 - 1.0;
  vec3 ray = normalize(right * at.x - up * at.y - back * 2.2);
  float t = 0.0;
  int steps = 0;
  for (; steps < 80; ++steps) {
    float step_size = distance_to_scene(eye + ray * t);
    if (step_size < 0.002 || t > 9.0) break;
    t += step_size;
  }
  vec3 color = vec3(0.5, 0.6, 0.8);
  if (t < 9.0) {
    vec3 p = eye + ray * t;
    const vec2 e = vec2(0.01, -0.01);
    vec3 n = normalize(e.xyy * distance_to_scene(p + e.xyy) + e.yyx * distance_to_scene(p + e.yyx) +
                       e.yxy * distance_to_scene(p + e.yxy) + e.xxx * distance_to_scene(p + e.xxx));
    float light = max(dot(n, normalize(vec3(0.8, 0.9, 0.3))), 0.0);
    vec3 albedo = p.y < 0.01 ? vec3(0.7) : length(p.xz) > 0.8 ? vec3(0.9, 0.6, 0.2) : vec3(0.3, 0.5, 0.8);
    color = albedo * (0.2 + 0.8 * light);
  }
  target = vec4(color, 1.0);
}
