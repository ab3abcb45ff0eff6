#version 450
// Attributes at both rates, a push constant, varyings of several kinds, sizes and distances.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(push_constant) uniform Push { vec4 offset; };
layout(location = 0) out vec4 passed;
layout(location = 1) flat out uint number;
layout(location = 3) noperspective out vec2 place;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };

void main() {
  gl_Position = position + offset;
  gl_PointSize = 2.0;
  gl_ClipDistance[0] = position.x;
  gl_ClipDistance[1] = position.y;
  passed = color;
  number = gl_InstanceIndex;
  place = position.xy;
}
