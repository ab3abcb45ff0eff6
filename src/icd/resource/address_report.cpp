// SPDX-License-Identifier: MIT
#include "icd/resource/address_report.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// Objects that are farther away from an address have nothing to do with it.
constexpr uint64_t kNear = uint64_t{1} << 20;

struct Distance {
  uint64_t before = 0;  // bytes that the address is before the first byte
  uint64_t after = 0;   // bytes that it is after the last one
  uint64_t total() const { return before + after; }
};

Distance distance_of(const AddressOwner& owner, uint64_t address) {
  if (address < owner.address) return {owner.address - address, 0};
  return {0, address - owner.address < owner.size ? 0 : address - owner.address - owner.size + 1};
}

/// The closest one and, of several, the smallest: a buffer rather than the memory around it.
std::optional<AddressOwner> find_owner(const std::set<AddressOwner>& owners, uint64_t address) {
  std::optional<AddressOwner> best;
  for (const AddressOwner& owner : owners) {
    const uint64_t distance = distance_of(owner, address).total();
    if (distance > kNear) continue;
    const uint64_t best_distance = best ? distance_of(*best, address).total() : UINT64_MAX;
    if (distance < best_distance || (distance == best_distance && owner.size < best->size)) best = owner;
  }
  return best;
}

std::string kind_name(VkObjectType type) {
  if (type == VK_OBJECT_TYPE_IMAGE) return "image";
  return type == VK_OBJECT_TYPE_BUFFER ? "buffer" : "device memory";
}

std::string describe(const AddressOwner& owner, const std::string& name, uint64_t address) {
  const Distance distance = distance_of(owner, address);
  std::string place = std::to_string(address - owner.address) + " bytes into";
  if (distance.before != 0) place = std::to_string(distance.before) + " bytes before";
  if (distance.after != 0) place = std::to_string(distance.after - 1) + " bytes past the end of";
  return "; the address is " + place + " " + kind_name(owner.type) + (name.empty() ? "" : " \"" + name + "\"") +
         " of " + std::to_string(owner.size) + " bytes";
}

bool is_about_memory(uint32_t kind) {
  return kind == SPALT_FAULT_UNMAPPED || kind == SPALT_FAULT_READ_ONLY || kind == SPALT_FAULT_MISALIGNED;
}

std::string binding_text(const AddressOwner& owner, VkDeviceAddressBindingTypeEXT type) {
  char range[64];
  std::snprintf(range, sizeof range, "0x%llx to 0x%llx", static_cast<unsigned long long>(owner.address),
                static_cast<unsigned long long>(owner.address + owner.size));
  const bool bound = type == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT;
  return kind_name(owner.type) + (bound ? " gets addresses " : " gives up addresses ") + range;
}

/// While the object is kept alive.
std::string name_of(Device& device, const AddressOwner& owner) {
  const std::lock_guard guard(device.names_mutex);
  return from_handle_value<const Object>(owner.handle)->debug_name;
}

}  // namespace

void name_resource(Device& device, FaultReport& report) {
  if (!is_about_memory(report.fault.kind)) return;
  const uint64_t address = report.fault.address;
  device.address_owners().visit([&](const std::set<AddressOwner>& owners) {
    const std::optional<AddressOwner> owner = find_owner(owners, address);
    if (!owner) return;
    const std::string name = name_of(device, *owner);
    report.text += describe(*owner, name, address);
    report.objects.push_back({owner->type, owner->handle, name});
  });
}

void report_binding(Device& device, const AddressOwner& owner, VkDeviceAddressBindingTypeEXT type) noexcept {
  if (owner.size == 0 || !device.has(Feature::reportAddressBinding)) return;
  guarded([&] {
    VkDeviceAddressBindingCallbackDataEXT binding{VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT};
    binding.baseAddress = owner.address;
    binding.size = owner.size;
    binding.bindingType = type;
    DebugMessage message;
    message.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT;
    message.types = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT;
    message.id = "spalt-address-binding";
    message.text = binding_text(owner, type);
    message.objects.push_back({owner.type, owner.handle, name_of(device, owner)});
    message.next = &binding;
    device.instance().messengers().send(message);
    return VK_SUCCESS;
  });
}

}  // namespace spalt::icd
