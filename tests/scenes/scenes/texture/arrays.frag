#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2DArray layers;
layout(binding = 1) uniform samplerCubeArray cubes;
layout(binding = 2) uniform sampler1D line;

void main() {
  vec2 at = uv * 2.0 - 1.0;
  float hole = length(at);
  vec4 color = texture(layers, vec3(uv * 2.0, floor(uv.x * 4.0)));
  if (hole < 0.8) {
    vec3 ray = vec3(at, sqrt(1.0 - hole * hole));
    color = textureLod(cubes, vec4(reflect(vec3(0.0, 0.0, -1.0), ray * vec3(1.0, -1.0, 1.0)), at.x < 0.0 ? 0.0 : 1.0), 0.0);
  }
  if (uv.y > 0.9) color = textureLod(line, uv.x, 0.0);
  target = color;
}
