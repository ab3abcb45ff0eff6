#version 450
// The nearest texels of cubes of an array, by directions through the middles of texels.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usamplerCubeArray cubes;
layout(binding = 1, r32ui) uniform writeonly uimage2DArray target;
layout(binding = 2, r32ui) uniform readonly uimageCubeArray storage_cubes;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  int face = at.z % 6;
  vec2 p = (vec2(at.xy) + 0.5) / 4.0 - 1.0;
  vec3 direction = face == 0   ? vec3(1, -p.y, -p.x)
                   : face == 1 ? vec3(-1, -p.y, p.x)
                   : face == 2 ? vec3(p.x, 1, p.y)
                   : face == 3 ? vec3(p.x, -1, -p.y)
                   : face == 4 ? vec3(p.x, -p.y, 1)
                               : vec3(-p.x, -p.y, -1);
  float layer = float(at.z / 6) + (at.x & 1) * 0.375;
  uint sampled = textureLod(cubes, vec4(direction * float(at.y + 1), layer), 0.0).r;
  uint loaded = imageLoad(storage_cubes, at).r;
  imageStore(target, at, uvec4(sampled * 3 + loaded));
}
