#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// A stencil cut out of a pattern: most waves have no fragment left long before their end.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 target;
layout(binding = 0) uniform sampler2D picture;
layout(constant_id = 0) const bool demotes = true;
layout(binding = 1) buffer Counts { uint kept; } counts;

void main() {
  float away = length(fract(uv * 2.0) - 0.5);
  if (away > 0.2) {
    if (demotes) {
      demote;
    } else {
      discard;
    }
  }
  vec3 sum = vec3(0.0);
  for (int i = 0; i < 6; ++i) {
    vec2 at = uv * float(i + 1);
    // Neighbours are needed in every turn only where all of them are still there.
    sum += demotes ? texture(picture, at).rgb : textureLod(picture, at, 1.0).rgb;
  }
  atomicAdd(counts.kept, 1);
  for (int i = 0; i < 4; ++i) sum *= 1.0 - 0.02 * textureLod(picture, sum.xy, 0.0).rgb;
  target = vec4(sum / 6.0, 1.0);
}
