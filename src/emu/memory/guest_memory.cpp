// SPDX-License-Identifier: MIT
#include "emu/memory/guest_memory.h"

#include <algorithm>

namespace spalt::emu {
namespace {

bool starts_before(const Mapping& mapping, uint64_t address) {
  return mapping.base < address;
}

bool starts_after(uint64_t address, const Mapping& mapping) {
  return address < mapping.base;
}

}  // namespace

uint64_t distance(const Mapping& mapping, uint64_t address) {
  if (address < mapping.base) return mapping.base - address;
  return address < mapping.end() ? 0 : address - mapping.end();
}

Result<void> Memory::add(Mapping mapping) {
  if (mapping.size == 0 || mapping.end() < mapping.base) {
    return Error{Status::invalid_argument, "mapping \"" + mapping.name + "\" is empty or wraps around"};
  }
  if (const Mapping* other = overlapping(mapping.base, mapping.size); other != nullptr) {
    return Error{Status::invalid_argument, "mapping \"" + mapping.name + "\" overlaps \"" + other->name + "\""};
  }
  mappings_.insert(std::lower_bound(mappings_.begin(), mappings_.end(), mapping.base, starts_before),
                   std::move(mapping));
  return {};
}

bool Memory::remove(uint64_t base) {
  const auto at = std::lower_bound(mappings_.begin(), mappings_.end(), base, starts_before);
  if (at == mappings_.end() || at->base != base) return false;
  mappings_.erase(at);
  return true;
}

const Mapping* Memory::overlapping(uint64_t base, uint64_t size) const {
  const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), base, starts_after);
  if (size == 0) return nullptr;
  if (after != mappings_.begin() && (after - 1)->end() > base) return &*(after - 1);
  return after != mappings_.end() && after->base - base < size ? &*after : nullptr;
}

const Mapping* Memory::search(uint64_t address, uint64_t size, const Mapping*& hint) const {
  if (shared_ != nullptr) {
    if (const Mapping* at = shared_->search(address, size, hint); at != nullptr) return at;
  }
  const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), address, starts_after);
  if (after == mappings_.begin() || !contains(*(after - 1), address, size)) return nullptr;
  hint = &*(after - 1);
  return hint;
}

const Mapping* Memory::nearest(uint64_t address) const {
  const Mapping* best = shared_ != nullptr ? shared_->nearest(address) : nullptr;
  const auto consider = [&](const Mapping& mapping) {
    if (best == nullptr || distance(mapping, address) < distance(*best, address)) best = &mapping;
  };
  const auto after = std::upper_bound(mappings_.begin(), mappings_.end(), address, starts_after);
  if (after != mappings_.begin()) consider(*(after - 1));
  if (after != mappings_.end()) consider(*after);
  return best;
}

}  // namespace spalt::emu
