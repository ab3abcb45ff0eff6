#version 450
// The last step: the curve of Reinhard.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(binding = 2, r32f) uniform readonly image2D exposure;
layout(binding = 3, rgba8) uniform writeonly image2D target;
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, textureSize(source, 0)))) return;
  vec3 color = texelFetch(source, at, 0).rgb * imageLoad(exposure, ivec2(0)).r;
  imageStore(target, at, vec4(color / (1.0 + color), 1.0));
}
