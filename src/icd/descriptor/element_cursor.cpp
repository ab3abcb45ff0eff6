// SPDX-License-Identifier: MIT
#include "icd/descriptor/element_cursor.h"

namespace spalt::icd {

ElementCursor::ElementCursor(const SetLayoutContents& layout, uint32_t binding, uint32_t element)
    : end_(layout.bindings.data() + layout.bindings.size()), element_(element) {
  binding_ = layout.find(binding);
  if (binding_ == nullptr) binding_ = end_;
  for (; binding_ != end_ && element_ >= binding_->count; ++binding_) element_ -= binding_->count;
}

void ElementCursor::advance(uint32_t count) {
  element_ += count;
  if (element_ < binding_->count) return;
  element_ = 0;
  do {
    ++binding_;
  } while (binding_ != end_ && binding_->count == 0);
}

}  // namespace spalt::icd
