#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(std430, binding = 1) buffer Bins { uint bins[32]; };

void main() {
  vec4 color = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
  atomicAdd(bins[min(int(color.r * 32.0), 31)], 1u);
  target = color;
}
