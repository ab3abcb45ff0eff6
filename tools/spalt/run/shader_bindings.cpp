// SPDX-License-Identifier: MIT
#include "run/shader_bindings.h"

#include <algorithm>

#include "compiler.h"
#include "run/failure.h"

namespace spalt_tool {

ShaderBindings::ShaderBindings(const spalt_compile_info& info) : reflection_(reflect_info(info)) {
  if (!reflection_.ok()) throw Failure{reflection_.message(), exit_code_of(reflection_.result())};
}

const spalt_reflected_binding* ShaderBindings::find(const Place& place, std::initializer_list<uint32_t> kinds) const {
  const spalt_reflection_info info = reflection_.info();
  for (size_t i = 0; i < info.binding_count; ++i) {
    const spalt_reflected_binding& binding = reflected_binding(info, i);
    const bool here = binding.set == place.set && binding.binding == place.binding;
    const bool inside = binding.count == 0 || place.element < binding.count;
    if (here && inside && std::find(kinds.begin(), kinds.end(), binding.kind) != kinds.end()) return &binding;
  }
  return nullptr;
}

const spalt_reflected_binding* ShaderBindings::find_image(const Place& place) const {
  return find(place, {SPALT_BINDING_IMAGE, SPALT_BINDING_COMBINED_IMAGE_SAMPLER});
}

const spalt_reflected_binding* ShaderBindings::find_sampler(const Place& place) const {
  return find(place, {SPALT_BINDING_SAMPLER, SPALT_BINDING_COMBINED_IMAGE_SAMPLER});
}

const spalt_reflected_binding* ShaderBindings::find_texel_buffer(const Place& place) const {
  return find(place, {SPALT_BINDING_TYPED_BUFFER});
}

}  // namespace spalt_tool
