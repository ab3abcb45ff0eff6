// SPDX-License-Identifier: MIT
/// @file common.hpp
/// What spalt.hpp and device.hpp share. Header only.
#ifndef SPALT_COMMON_HPP
#define SPALT_COMMON_HPP

#include <memory>

namespace spalt_api {

/// A struct of the C API with its size set and everything else zero.
template <class Struct>
Struct sized() {
  Struct value{};
  value.struct_size = sizeof(Struct);
  return value;
}

namespace detail {

template <auto destroy>
struct Destroy {
  template <class Handle>
  void operator()(Handle* handle) const {
    destroy(handle);
  }
};

/// A handle that destroys itself.
template <class Handle, auto destroy>
using Owned = std::unique_ptr<Handle, Destroy<destroy>>;

}  // namespace detail
}  // namespace spalt_api
#endif
