#version 450
// Blurs an image: each texel becomes the average of its 3 x 3 neighbours with weights 1, 2, 1 along both axes. Four samples do it, each
// between four texels, which the linear filter averages. Run it with
//
//   spalt run examples/blur.comp --dispatch 8,8 --image 0:0=photo.png --sampler 0:0=linear,clamp_to_edge --image 0:1=zeros:64x64 --write 0:1=blurred.png
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D source;
layout(set = 0, binding = 1, rgba8) uniform writeonly image2D target;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(target)))) return;
  vec2 texel = 1.0 / vec2(imageSize(target)), center = (vec2(at) + 0.5) * texel;
  vec4 sum = vec4(0.0);
  for (int corner = 0; corner < 4; ++corner) {
    vec2 offset = vec2((corner & 1) - 0.5, (corner >> 1) - 0.5);
    sum += textureLod(source, center + offset * texel, 0.0);
  }
  imageStore(target, at, sum / 4.0);
}
