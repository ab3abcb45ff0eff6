#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(location = 0) flat in int layer;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform texture2DArray positive;

void main() { target = vec4(1.0 - texelFetch(positive, ivec3(gl_FragCoord.xy, layer), 0).rgb, 1.0); }
