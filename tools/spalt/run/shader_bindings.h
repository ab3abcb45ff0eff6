// SPDX-License-Identifier: MIT
#pragma once
#include <initializer_list>
#include <spalt/spalt.hpp>

#include "run/place.h"

namespace spalt_tool {

/// What a shader declares at its bindings, so that arguments need not say it again, and wrong ones can be told.
class ShaderBindings {
 public:
  /// Throws Failure.
  explicit ShaderBindings(const spalt_compile_info& info);

  /// NULL: the shader has none there. Combined ones count as both.
  const spalt_reflected_binding* find_image(const Place& place) const;
  const spalt_reflected_binding* find_sampler(const Place& place) const;
  const spalt_reflected_binding* find_texel_buffer(const Place& place) const;

 private:
  const spalt_reflected_binding* find(const Place& place, std::initializer_list<uint32_t> kinds) const;

  spalt_api::Reflection reflection_;
};

}  // namespace spalt_tool
