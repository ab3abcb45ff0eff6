// SPDX-License-Identifier: MIT
#include "emu/memory/access.h"

#include "emu/memory/descriptor.h"

namespace spalt::emu {
namespace {

std::string describe(const Access& access) {
  const char* verb = access.kind == AccessKind::load    ? "loads "
                     : access.kind == AccessKind::store ? "stores "
                                                        : "updates ";
  return verb + std::to_string(access.bytes) + " bytes at " + hex_address(access.address);
}

/// Where the access lies, seen from the mapping.
std::string relation(const Access& access, const Mapping& mapping) {
  const uint64_t away = distance(mapping, access.address);
  if (access.address < mapping.base) return std::to_string(away) + " bytes before \"" + mapping.name + "\"";
  if (access.address >= mapping.end()) {
    return std::to_string(away) + " bytes past the end of \"" + mapping.name + "\"";
  }
  return "the last " + std::to_string(access.bytes - (mapping.end() - access.address)) + " of them past the end of \"" +
         mapping.name + "\"";
}

void fault_near(Wave& wave, FaultKind kind, const Access& access, const Mapping* mapping, std::string violation) {
  Fault fault;
  fault.kind = kind;
  fault.access = access.kind;
  fault.address = access.address;
  fault.bytes = access.bytes;
  fault.lane = access.lane;
  if (mapping != nullptr) {
    fault.mapping = mapping->name;
    fault.mapping_base = mapping->base;
    fault.mapping_bytes = mapping->size;
  }
  fault.violation = std::move(violation);
  wave.fault(std::move(fault));
}

void fault_unmapped(Wave& wave, const Access& access) {
  const Mapping* nearest = wave.group().memory->nearest(access.address);
  std::string violation = describe(access) + ", outside any mapping";
  if (nearest != nullptr) violation += ", " + relation(access, *nearest);
  fault_near(wave, FaultKind::unmapped, access, nearest, std::move(violation));
}

}  // namespace

void fault_on_refusal(Wave& wave, const Access& access, const Mapping* at) {
  if (at == nullptr) return fault_unmapped(wave, access);
  if (!at->is_resident()) {
    return fault_near(wave, FaultKind::unmapped, access, at,
                      describe(access) + " of \"" + at->name + "\", which is not resident");
  }
  fault_near(wave, FaultKind::read_only, access, at, describe(access) + ", which is read-only (\"" + at->name + "\")");
}

void fault_on_access(Wave& wave, FaultKind kind, const Access& access, const char* violation) {
  const Mapping* hint = nullptr;
  const Mapping* at = wave.group().memory->find(access.address, access.bytes, hint);
  fault_near(wave, kind, access, at, describe(access) + violation);
}

void fault_outside_lds(Wave& wave, const Access& access) {
  fault_near(wave, FaultKind::lds_bounds, access, nullptr,
             "accesses LDS bytes " + std::to_string(access.address) + " to " +
                 std::to_string(access.address + access.bytes) + " of " + std::to_string(wave.group().lds.size()));
}

}  // namespace spalt::emu
