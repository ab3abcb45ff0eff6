// SPDX-License-Identifier: MIT
#include "emu/scalar/scalar_access.h"

#include <cstring>

#include "base/bits.h"

namespace spalt::emu {
namespace {

uint64_t pair_of(const ScalarTransfer& transfer, unsigned first) {
  return transfer.data[first] | static_cast<uint64_t>(transfer.data[first + 1]) << 32;
}

uint64_t update(const ScalarTransfer& t) {
  if (t.wide) return apply_atomic(t.op, true, t.host, pair_of(t, 0), pair_of(t, 2));
  return apply_atomic(t.op, false, t.host, t.data[0], t.data[1]);
}

}  // namespace

ScalarResult perform(const ScalarTransfer& transfer) {
  ScalarResult result{};
  uint64_t value = transfer.value;
  if (!transfer.has_value) {
    const size_t bytes = transfer.valid_bytes;
    if (bytes == 0) return result;
    switch (transfer.kind) {
      case TransferKind::load:
        std::memcpy(result.data(), transfer.host, bytes);
        if (transfer.sign) result[0] = static_cast<uint32_t>(sign_extend(result[0], static_cast<unsigned>(bytes) * 8));
        return result;
      case TransferKind::store:
        std::memcpy(transfer.host, transfer.data.data(), bytes);
        return result;
      case TransferKind::atomic:
        value = update(transfer);
        break;
    }
  }
  result[0] = static_cast<uint32_t>(value);
  result[1] = static_cast<uint32_t>(value >> 32);
  return result;
}

}  // namespace spalt::emu
