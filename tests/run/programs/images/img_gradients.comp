#version 450
// Samples with gradients: each level has one colour, so that the result says which levels were taken.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D plane;
layout(binding = 1) uniform sampler3D volume;
layout(binding = 2) uniform samplerCube cube;
layout(binding = 3) uniform sampler1D line;
layout(binding = 4, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  float scale = exp2(0.25 * float(at.x) - 6.0);
  float turn = 0.375 * float(at.y);
  vec2 direction = vec2(cos(turn), sin(turn)) * scale;
  vec4 levels;
  levels.x = textureGrad(plane, vec2(0.3, 0.6), direction, vec2(-direction.y, direction.x)).r;
  levels.y = textureGrad(volume, vec3(0.3, 0.6, 0.2), vec3(direction, 0), vec3(0, 0, scale * 0.5)).r;
  levels.z = textureGrad(cube, vec3(0.25, 1.0, -0.5), vec3(direction.x, 0, direction.y), vec3(0)).r;
  levels.w = textureGrad(line, 0.5, direction.x, 0.0).r;
  result[at.y * 32 + at.x] = levels;
}
