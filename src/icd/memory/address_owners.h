// SPDX-License-Identifier: MIT
//
// Which objects of the application device addresses belong to: for messages about faults.
#pragma once

#include <vulkan/vulkan.h>

#include <compare>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

namespace spalt::icd {

struct AddressOwner {
  uint64_t address = 0;
  uint64_t size = 0;
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;
  auto operator<=>(const AddressOwner&) const = default;
};

/// Safe to call from all threads. Several objects may have the same addresses.
class AddressOwners {
 public:
  void add(const AddressOwner& owner) {
    const std::lock_guard guard(mutex_);
    owners_.insert(owner);
  }
  void remove(const AddressOwner& owner) noexcept {
    const std::lock_guard guard(mutex_);
    owners_.erase(owner);
  }
  /// Calls `visit` with the sorted owners, none of which is destroyed before it returns.
  template <typename Visit>
  void visit(Visit&& visit) {
    const std::lock_guard guard(mutex_);
    visit(std::as_const(owners_));
  }

 private:
  std::mutex mutex_;
  std::set<AddressOwner> owners_;
};

/// An owner is known as long as this lives.
class KnownOwner {
 public:
  KnownOwner() = default;
  KnownOwner(AddressOwners& owners, const AddressOwner& owner) : owners_(&owners), owner_(owner) { owners.add(owner); }
  ~KnownOwner() {
    if (owners_ != nullptr) owners_->remove(owner_);
  }
  KnownOwner(KnownOwner&& other) noexcept : owners_(std::exchange(other.owners_, nullptr)), owner_(other.owner_) {}
  KnownOwner& operator=(KnownOwner&& other) noexcept {
    std::swap(owners_, other.owners_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  /// Size 0: no addresses are owned.
  const AddressOwner& operator*() const { return owner_; }

 private:
  AddressOwners* owners_ = nullptr;
  AddressOwner owner_;
};

}  // namespace spalt::icd
