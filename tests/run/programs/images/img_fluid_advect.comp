#version 450
// A step of a fluid: what is at a cell came from where the velocity points back to, a filtered sample of a volume.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 0) uniform sampler3D velocity;
layout(binding = 1, rgba16f) uniform writeonly image3D moved;
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  vec3 size = vec3(textureSize(velocity, 0));
  vec3 v = texelFetch(velocity, at, 0).xyz;
  imageStore(moved, at, textureLod(velocity, (vec3(at) + 0.5 - v) / size, 0.0));
}
