// SPDX-License-Identifier: MIT
#include "icd/shader/representation.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace spalt::icd {
namespace {

struct CapturedPass {
  std::string_view pass;  // docs/architecture.md lists them
  const char* name;
  const char* description;
};

constexpr CapturedPass kPasses[] = {
    {"read", "IR of the module", "The SSA form as it was read from SPIR-V"},
    {"eliminate_dead_code", "Optimized IR", "The SSA form after the optimizations that do not know the target"},
    {"hoist_loads", "Lowered IR", "The SSA form before instruction selection"},
    {"select", "Machine IR", "Machine instructions as they were selected, with virtual registers"},
    {"schedule", "Scheduled machine IR", "Machine instructions in their final order, with virtual registers"},
    {"allocate_registers", "Allocated machine IR", "Machine instructions with physical registers"},
    {"insert_delays", "Final machine IR", "Machine instructions with waits and hints, before encoding"},
};

}  // namespace

void RepresentationCapture::attach(spalt_compile_info& info) {
  info.dump_after = "all";
  info.dump_user = this;
  info.dump = [](void* user, const char* pass, const char* text) {
    auto& capture = *static_cast<RepresentationCapture*>(user);
    try {
      capture.keep(pass, text);
    } catch (...) {
      capture.failure_ = std::current_exception();
    }
  };
}

void RepresentationCapture::keep(const char* pass, const char* text) {
  const auto* row =
      std::find_if(std::begin(kPasses), std::end(kPasses), [&](const CapturedPass& p) { return p.pass == pass; });
  if (row != std::end(kPasses)) kept_.push_back({row->name, row->description, text});
}

std::vector<Representation> RepresentationCapture::take() {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  return std::move(kept_);
}

}  // namespace spalt::icd
