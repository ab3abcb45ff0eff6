#version 450
// Loads, stores and atomics on images of 64-bit texels, each with a result that does not depend on the order.
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r64ui) uniform u64image2D plane;
layout(binding = 1, r64i) uniform i64image3D volume;
layout(binding = 2, r64ui) uniform u64image2DArray planes;
layout(binding = 3, r64i) uniform i64image1D line;
layout(binding = 4, r64ui) uniform u64imageCube cube;
layout(binding = 5, r64ui) uniform u64image2D copy;
layout(binding = 6, r64ui) uniform u64imageBuffer texels;
layout(binding = 7, std430) writeonly buffer Result { uint64_t result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  uint i = gl_GlobalInvocationID.y * 16 + gl_GlobalInvocationID.x;
  uint64_t number = uint64_t(i) * 0x9e3779b97f4a7c15ul;
  imageAtomicAdd(plane, at / 4, number);
  imageAtomicMin(volume, ivec3(at / 8, i & 1), int64_t(number));
  imageAtomicMax(volume, ivec3(at / 8, 2), int64_t(number));
  imageAtomicAnd(planes, ivec3(at / 8, 0), ~(1ul << (i & 63u)) | 0x100000000ul);
  imageAtomicOr(planes, ivec3(at / 8, 1), 1ul << uint(number >> 58));
  imageAtomicXor(planes, ivec3(at / 8, 2), number);
  imageAtomicMin(line, int(i % 7), int64_t(number >> 1));
  imageAtomicMax(cube, ivec3(at / 8, i % 6), number);
  // One of those that compare wins; the sum of what all of them saw says that it was one.
  uint64_t seen = imageAtomicCompSwap(plane, ivec2(5, 5), 0ul, 0x100000001ul);
  imageAtomicAdd(plane, ivec2(6, 5), seen);
  imageStore(copy, at, u64vec4(number, 1, 2, 3));
  u64vec4 loaded = imageLoad(copy, at);
  uint64_t old = imageAtomicExchange(copy, at, ~number);
  result[2 * i] = old + uint64_t(imageAtomicAdd(line, 8 + int(i), 3l)) + loaded.x * 3ul + loaded.y + loaded.z + loaded.w;
  imageAtomicAdd(texels, int(i & 3), number);
  uint64_t first = imageLoad(texels, 8 + int(i)).x;
  uint64_t second = imageAtomicCompSwap(texels, 8 + int(i), first, number);
  imageStore(texels, 264 + int(i), u64vec4(first ^ number));
  result[2 * i + 1] = first + second;
}
