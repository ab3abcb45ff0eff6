// SPDX-License-Identifier: MIT
//
// Addresses of buffers that the shaders of a manifest find in buffers and push constants. They are known only where the
// buffers lie, so that whoever executes the manifest puts them in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "manifest.h"

namespace spalt::vkrun {

/// Puts addresses into bytes. `of`: the address of each buffer of the manifest.
void put_addresses(const std::vector<AddressSlot>& slots, std::span<const uint64_t> of, std::span<uint8_t> bytes);

/// The push constants of a dispatch.
std::vector<uint32_t> push_words(const Dispatch& dispatch, std::span<const uint64_t> of);

}  // namespace spalt::vkrun
