#version 450
#extension GL_EXT_shader_image_load_formatted : require
// Storage images whose formats the shader does not know: components that are not there read as 0 and 1.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform image2D floats[6];
layout(binding = 1) uniform iimage2D integers[3];
layout(binding = 2) uniform uimage2D words[3];
layout(binding = 3, std430) writeonly buffer Result { vec4 result[]; };
void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  vec4 sum = vec4(0);
  for (int i = 0; i < 6; ++i) {
    vec4 texel = imageLoad(floats[i], at);
    sum += texel;
    imageStore(floats[i], at, vec4(texel.y, texel.x, texel.w, texel.z));
  }
  for (int i = 0; i < 3; ++i) {
    ivec4 texel = imageLoad(integers[i], at);
    sum += vec4(texel);
    imageStore(integers[i], at, texel.wxzy / 2);
    uvec4 word = imageLoad(words[i], at);
    sum += vec4(word);
    imageStore(words[i], at, word.yzwx / 3u);
  }
  result[at.y * 16 + at.x] = sum;
}
