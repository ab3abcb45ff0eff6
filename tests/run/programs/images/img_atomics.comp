#version 450
// Every atomic on images of all kinds, each with a result that does not depend on the order.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, r32ui) uniform uimage2D plane;
layout(binding = 1, r32i) uniform iimage3D volume;
layout(binding = 2, r32ui) uniform uimage2DArray planes;
layout(binding = 3, r32i) uniform iimage1D line;
layout(binding = 4, r32ui) uniform uimageCube cube;
layout(binding = 5, r32f) uniform image2D floats;
layout(binding = 6, std430) writeonly buffer Result { uint result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  uint i = gl_GlobalInvocationID.y * 16 + gl_GlobalInvocationID.x;
  uint number = i * 2654435761u;
  imageAtomicAdd(plane, at / 4, number);
  imageAtomicMin(volume, ivec3(at / 8, i & 1), int(number));
  imageAtomicMax(volume, ivec3(at / 8, 2), int(number));
  imageAtomicAnd(planes, ivec3(at / 8, 0), ~(1u << (i & 31u)) | 0x10u);
  imageAtomicOr(planes, ivec3(at / 8, 1), 1u << (number >> 27));
  imageAtomicXor(planes, ivec3(at / 8, 2), number);
  imageAtomicMin(line, int(i % 7), int(number >> 1));
  imageAtomicMax(cube, ivec3(at / 8, i % 6), number);
  // One of those that compare wins; the sum of what all of them saw says that it was one.
  uint seen = imageAtomicCompSwap(plane, ivec2(5, 5), 0u, 1u);
  imageAtomicAdd(plane, ivec2(6, 5), seen);
  imageStore(floats, at, vec4(float(i)));
  float old = imageAtomicExchange(floats, at, 0.5 * float(i));
  result[i] = floatBitsToUint(old) + imageAtomicAdd(line, 8 + int(i), 3);
}
