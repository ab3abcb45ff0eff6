// SPDX-License-Identifier: MIT
#pragma once

#include "icd/layout/set_layout.h"

namespace spalt::icd {

/// Walks the elements of a layout: after the last one of a binding comes the first of the next binding that has some
/// ("consecutive binding updates" of the specification). Elements of inline uniform blocks are bytes.
class ElementCursor {
 public:
  /// `element` may lie beyond the binding. A binding that is not there: at the end.
  ElementCursor(const SetLayoutContents& layout, uint32_t binding, uint32_t element);

  bool at_end() const { return binding_ == end_; }
  const SetBinding& binding() const { return *binding_; }
  uint32_t element() const { return element_; }
  /// Elements of this binding from here on.
  uint32_t rest() const { return binding_->count - element_; }
  /// By at most rest().
  void advance(uint32_t count);

 private:
  const SetBinding* binding_ = nullptr;
  const SetBinding* end_ = nullptr;
  uint32_t element_ = 0;
};

}  // namespace spalt::icd
