#version 450
// Arrays of combined images and of storage images, indexed by what is the same for a workgroup.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D sources[4];
layout(binding = 4, r32f) uniform image2D targets[3];
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  int first = int(gl_WorkGroupID.x + gl_WorkGroupID.y) & 3;
  int last = int(gl_WorkGroupID.x * 3 + gl_WorkGroupID.y) % 3;
  float sum = imageLoad(targets[last], at).r;
  for (int i = 0; i <= int(gl_WorkGroupID.x); ++i) {
    sum += textureLod(sources[(first + i) & 3], (vec2(at) + 0.5) / vec2(32.0), 0.0).r * float(i + 1);
  }
  imageStore(targets[last], at, vec4(sum));
}
