// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::emu {

// Apertures of flat addresses: 4 GiB each, anywhere but where buffers are.
constexpr uint64_t kSharedApertureBase = uint64_t{0x10000} << 32;
constexpr uint64_t kPrivateApertureBase = uint64_t{0x20000} << 32;

}  // namespace spalt::emu
