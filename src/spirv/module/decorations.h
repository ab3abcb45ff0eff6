// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "base/vector.h"
#include "spirv/module/types.h"

namespace spalt::spirv {

/// One decoration of an id or of a struct member.
struct Decoration {
  uint32_t kind = 0;        ///< spv::Decoration; the module may say any number
  uint32_t member = kNone;  ///< kNone: the id itself
  uint32_t argument = 0;    ///< first extra operand; of a link: the group's id
  bool has_argument = false;
  bool is_group = false;  ///< a link to the decorations of a group
  uint32_t next = kNone;  ///< the next one of the same id
};

/// All decorations of a module, as a list per id. Applying a decoration group adds one link to the group instead of
/// copies, so that the size stays proportional to the module.
class Decorations {
 public:
  explicit Decorations(Arena& arena) : heads_(arena), list_(arena) {}

  void reset(uint32_t id_bound) { heads_.assign(id_bound, kNone); }

  void add(uint32_t id, Decoration decoration) {
    decoration.next = heads_[id];
    heads_[id] = static_cast<uint32_t>(list_.size());
    list_.push_back(decoration);
  }
  bool empty(uint32_t id) const { return heads_[id] == kNone; }

  /// Calls visit(decoration, member) for each decoration of `id`, those of groups included. Any id may be asked for.
  template <class Visit>
  void for_each(uint32_t id, Visit&& visit) const {
    for (uint32_t i = id < heads_.size() ? heads_[id] : kNone; i != kNone; i = list_[i].next) {
      const Decoration& own = list_[i];
      if (!own.is_group) {
        visit(own, own.member);
        continue;
      }
      for (uint32_t j = heads_[own.argument]; j != kNone; j = list_[j].next) {
        if (!list_[j].is_group) visit(list_[j], own.member);
      }
    }
  }
  /// First argument of the decoration, or kNone.
  uint32_t argument(uint32_t id, uint32_t kind) const {
    uint32_t found = kNone;
    for_each(id, [&](const Decoration& d, uint32_t member) {
      if (d.kind == kind && member == kNone && d.has_argument) found = d.argument;
    });
    return found;
  }
  /// Whether the id, not one of its members, has the decoration.
  bool has(uint32_t id, uint32_t kind) const {
    bool found = false;
    for_each(id, [&](const Decoration& d, uint32_t member) { found |= d.kind == kind && member == kNone; });
    return found;
  }

 private:
  Vector<uint32_t> heads_;
  Vector<Decoration> list_;
};

}  // namespace spalt::spirv
