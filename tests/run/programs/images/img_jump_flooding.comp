#version 450
// A distance transform by jump flooding: each round looks at nine texels, half as far away as the round before. Between
// equally near seeds the one with the smaller number wins.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rg16i) uniform iimage2D seeds[2];
layout(push_constant) uniform Push { int from; int reach; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  ivec2 size = imageSize(seeds[0]);
  if (any(greaterThanEqual(at, size))) return;
  ivec2 best = ivec2(-1);
  int least = 1 << 30;
  for (int i = 0; i < 9; ++i) {
    ivec2 place = at + ivec2(i % 3 - 1, i / 3 - 1) * reach;
    if (any(lessThan(place, ivec2(0))) || any(greaterThanEqual(place, size))) continue;
    ivec2 seed = imageLoad(seeds[from], place).xy;
    if (seed.x < 0) continue;
    ivec2 d = seed - at;
    int distance = d.x * d.x + d.y * d.y;
    if (distance < least || (distance == least && seed.y * 64 + seed.x < best.y * 64 + best.x)) {
      least = distance;
      best = seed;
    }
  }
  imageStore(seeds[1 - from], at, ivec4(best, 0, 0));
}
