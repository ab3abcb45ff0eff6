#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2D bordered;
layout(binding = 2) uniform usampler2D numbers;

void main() {
  vec2 at = fract(uv * 3.0);
  int field = int(uv.x * 3.0) + int(uv.y * 3.0) * 3;
  vec4 color = vec4(0.0);
  if (field == 0) color = textureGather(picture, at, 0);
  if (field == 1) color = textureProjLod(picture, vec3(at, 0.5 + at.y), 0.0);
  if (field == 2) color = textureLod(bordered, at * 1.6 - 0.3, 0.0);
  if (field == 3) color = textureLod(picture, at, at.x * 4.0);
  if (field == 4) color = textureGrad(picture, at, vec2(0.1, 0.0) * at.y, vec2(0.0, 0.1));
  if (field == 5) color = textureLodOffset(picture, at, 0.0, ivec2(3, -2));
  if (field == 6) color = texelFetch(picture, ivec2(at * 8.0), 1);
  if (field == 7) color = vec4(texelFetch(numbers, ivec2(at * 8.0), 0)) / 255.0;
  if (field == 8) color = vec4(textureQueryLod(picture, uv * 12.0).y * 0.25, at, 1.0);
  target = vec4(color.rgb, 1.0);
}
