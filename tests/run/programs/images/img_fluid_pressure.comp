#version 450
// A round of Jacobi's iteration for the pressure, from one image to the other.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 2, r32f) uniform readonly image3D divergence;
layout(binding = 3, r32f) uniform image3D pressure[2];
layout(push_constant) uniform Push { int from; };
void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID);
  ivec3 last = imageSize(divergence) - 1;
  float sum = -imageLoad(divergence, at).r;
  for (int axis = 0; axis < 3; ++axis) {
    ivec3 d = ivec3(axis == 0, axis == 1, axis == 2);
    sum += imageLoad(pressure[from], min(at + d, last)).r + imageLoad(pressure[from], max(at - d, ivec3(0))).r;
  }
  imageStore(pressure[1 - from], at, vec4(sum / 6.0));
}
