// SPDX-License-Identifier: MIT
#include "addresses.h"

#include <cstring>

namespace spalt::vkrun {

void put_addresses(const std::vector<AddressSlot>& slots, std::span<const uint64_t> of, std::span<uint8_t> bytes) {
  for (const AddressSlot& slot : slots) {
    const uint64_t address = of[slot.buffer] + slot.plus;
    std::memcpy(bytes.data() + slot.at, &address, sizeof address);
  }
}

std::vector<uint32_t> push_words(const Dispatch& dispatch, std::span<const uint64_t> of) {
  std::vector<uint32_t> words = dispatch.push;
  put_addresses(dispatch.addresses, of, {reinterpret_cast<uint8_t*>(words.data()), words.size() * 4});
  return words;
}

}  // namespace spalt::vkrun
