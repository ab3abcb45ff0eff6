// SPDX-License-Identifier: MIT
#include "amdgpu/isa/text/hints.h"

namespace spalt::isa {
namespace {

constexpr unsigned kDeviceScope = 2, kSystemScope = 3;
constexpr unsigned kLastUse = 3;  ///< at system scope it bypasses the caches
constexpr unsigned kCascade = 4;  ///< atomics, from device scope on

constexpr const char* kLoads[kTemporalHintCount] = {"TH_LOAD_RT",    "TH_LOAD_NT",    "TH_LOAD_HT",    "TH_LOAD_LU",
                                                    "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT", nullptr};
constexpr const char* kStores[kTemporalHintCount] = {"TH_STORE_RT",    "TH_STORE_NT",    "TH_STORE_HT",
                                                     "TH_STORE_RT_WB", "TH_STORE_NT_RT", "TH_STORE_RT_NT",
                                                     "TH_STORE_NT_HT", "TH_STORE_NT_WB"};
constexpr const char* kAtomics[kCascade] = {"TH_ATOMIC_RT", "TH_ATOMIC_RETURN", "TH_ATOMIC_NT", "TH_ATOMIC_NT_RETURN"};

}  // namespace

const char* temporal_hint_word(const OpcodeInfo& info, unsigned hint, unsigned scope) {
  if (hint >= kTemporalHintCount) return nullptr;
  if (info.has(kAtomic)) {
    if (hint < kCascade) return kAtomics[hint];
    if (scope < kDeviceScope) return nullptr;
    return hint >= kCascade + 2 ? "TH_ATOMIC_CASCADE_NT" : "TH_ATOMIC_CASCADE_RT";
  }
  const bool bypasses = hint == kLastUse && scope == kSystemScope;
  if (info.has(kMayStore)) return bypasses ? "TH_STORE_BYPASS" : kStores[hint];
  return bypasses ? "TH_LOAD_BYPASS" : kLoads[hint];
}

}  // namespace spalt::isa
