#version 450
// Encodes BC1 and BC4: each invocation makes the 8 bytes of a block, which is a texel of two words. All in integers.
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 0) uniform usampler2D source;
layout(binding = 1, rg32ui) uniform writeonly uimage2D blocks[2];
uvec2 encode_bc1(uvec3 texels[16]) {
  uvec3 low = texels[0];
  uvec3 high = texels[0];
  for (int i = 1; i < 16; ++i) {
    low = min(low, texels[i]);
    high = max(high, texels[i]);
  }
  uvec3 a = uvec3(high.r >> 3, high.g >> 2, high.b >> 3);
  uvec3 b = uvec3(low.r >> 3, low.g >> 2, low.b >> 3);
  uint first = a.r << 11 | a.g << 5 | a.b;
  uint second = b.r << 11 | b.g << 5 | b.b;
  if (first == second) return uvec2(first | second << 16, 0);
  ivec3 ends[2] = ivec3[](ivec3(a.r << 3 | a.r >> 2, a.g << 2 | a.g >> 4, a.b << 3 | a.b >> 2),
                          ivec3(b.r << 3 | b.r >> 2, b.g << 2 | b.g >> 4, b.b << 3 | b.b >> 2));
  ivec3 palette[4] = ivec3[](ends[0], ends[1], (2 * ends[0] + ends[1]) / 3, (ends[0] + 2 * ends[1]) / 3);
  uint indices = 0;
  for (int i = 0; i < 16; ++i) {
    int best = 1 << 30;
    uint choice = 0;
    for (int k = 0; k < 4; ++k) {
      ivec3 d = ivec3(texels[i]) - palette[k];
      int distance = d.r * d.r + d.g * d.g + d.b * d.b;
      if (distance < best) {
        best = distance;
        choice = uint(k);
      }
    }
    indices |= choice << (2 * i);
  }
  return uvec2(first | second << 16, indices);
}
uvec2 encode_bc4(uvec3 texels[16]) {
  uint low = 255;
  uint high = 0;
  for (int i = 0; i < 16; ++i) {
    low = min(low, texels[i].g);
    high = max(high, texels[i].g);
  }
  uvec2 block = uvec2(high | low << 8, 0);
  if (high == low) return block;
  for (int i = 0; i < 16; ++i) {
    uint step = ((texels[i].g - low) * 14 + (high - low)) / (2 * (high - low));  // 0 to 7, from low to high
    uint index = step == 7 ? 0 : step == 0 ? 1 : 8 - step;
    int bit = 16 + 3 * i;
    if (bit < 32) block.x |= index << bit;
    if (bit >= 30) block.y |= bit < 32 ? index >> (32 - bit) : index << (bit - 32);
  }
  return block;
}
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, imageSize(blocks[0])))) return;
  uvec3 texels[16];
  for (int i = 0; i < 16; ++i) texels[i] = texelFetch(source, at * 4 + ivec2(i & 3, i >> 2), 0).rgb;
  uvec2 color = encode_bc1(texels);
  uvec2 single = encode_bc4(texels);
  imageStore(blocks[0], at, uvec4(color, 0, 0));
  imageStore(blocks[1], at, uvec4(single, 0, 0));
}
