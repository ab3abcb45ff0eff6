#version 450
// Conway's game on a torus, which the address mode makes; four generations in two images.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform usampler2D boards[2];
layout(binding = 1, r8ui) uniform writeonly uimage2D next[2];
layout(push_constant) uniform Push { int from; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec2 size = vec2(textureSize(boards[from], 0));
  uint around = 0;
  for (int i = 0; i < 9; ++i) {
    vec2 uv = (vec2(at + ivec2(i % 3 - 1, i / 3 - 1)) + 0.5) / size;
    if (i != 4) around += textureLod(boards[from], uv, 0.0).r;
  }
  uint alive = textureLod(boards[from], (vec2(at) + 0.5) / size, 0.0).r;
  imageStore(next[1 - from], at, uvec4(around == 3 || (around == 2 && alive == 1) ? 1 : 0));
}
