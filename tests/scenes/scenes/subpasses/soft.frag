#version 450
// Fades where it comes near to what is behind it.
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 target;
layout(input_attachment_index = 0, binding = 0) uniform subpassInput depth;
layout(push_constant) uniform Push {
  vec4 place;
  vec4 color;
};

void main() {
  float room = subpassLoad(depth).r - gl_FragCoord.z;
  float round_edge = max(1.0 - dot(at, at), 0.0);
  target = vec4(color.rgb, color.a * round_edge * clamp(room * 6.0, 0.0, 1.0));
}
