// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/stage_object.h"
#include "litmus_test.h"

namespace spalt::litmus {

/// A part of a program that orders memory: one counter of a wait, an invalidation, or a cache bit of an access.
struct Element {
  /// What it is and what it stands between in its thread, so that the same thing in another program has the same name:
  /// "vmcnt between load and inv", "buffer_gl0_inv between image load and plain global load", "glc of load".
  std::string name;
  /// The program without it: a no-op or a wait for anything in its place, or the bit clear.
  Vector<uint8_t> code;
};

/// Those with something to order: a wait with accesses that its counter counts before it and others after it, an
/// invalidation with a load through the cache after it. What else waits are for, registers, does not count.
std::vector<Element> elements_of(const object::StageObject& shader, const isa::Target& target, const Variant& variant);

}  // namespace spalt::litmus
