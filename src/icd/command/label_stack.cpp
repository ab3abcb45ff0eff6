// SPDX-License-Identifier: MIT
#include "icd/command/label_stack.h"

namespace spalt::icd {

void LabelStack::change(const char* name, bool inserted) {
  drop_inserted();
  names_.emplace_back(name);
  inserted_ = inserted;
}

void LabelStack::close() {
  drop_inserted();
  if (!names_.empty()) names_.pop_back();
}

void LabelStack::drop_inserted() {
  snapshot_ = nullptr;
  if (inserted_) names_.pop_back();
  inserted_ = false;
}

LabelStack::Snapshot LabelStack::snapshot() const {
  if (snapshot_ == nullptr && !names_.empty()) snapshot_ = std::make_shared<const std::vector<std::string>>(names_);
  return snapshot_;
}

}  // namespace spalt::icd
