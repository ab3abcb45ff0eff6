// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "emu/memory/lane_access.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {

/// What a memory opcode does with each lane, whatever computes the addresses.
struct AccessShape {
  TransferKind kind;
  uint8_t component_bytes;
  uint8_t components;
  Extend extend = Extend::zero;
  AtomicOp op = AtomicOp::none;
  bool store_high_half = false;  ///< stores bits 31:16 of the data
  bool sampler = false;          ///< counts as a sample
};

constexpr AccessShape load_shape(unsigned bytes, unsigned components, Extend extend = Extend::zero) {
  return {TransferKind::load, static_cast<uint8_t>(bytes), static_cast<uint8_t>(components), extend};
}
constexpr AccessShape store_shape(unsigned bytes, unsigned components, bool high = false) {
  return {TransferKind::store,
          static_cast<uint8_t>(bytes),
          static_cast<uint8_t>(components),
          Extend::zero,
          AtomicOp::none,
          high};
}
/// Atomics have one component of 4 or 8 bytes.
constexpr AccessShape atomic_shape(AtomicOp op, bool wide) {
  return {TransferKind::atomic, static_cast<uint8_t>(wide ? 8 : 4), 1, Extend::zero, op};
}

/// Starts the transfer of a vector memory step in the counter that it belongs to.
Transfer& begin_transfer(Wave& wave, const Step& step, const AccessShape& shape);
/// Sets the data registers of a store or an atomic, starting at VGPR `data`.
void set_store_data(Wave& wave, Transfer& transfer, const AccessShape& shape, unsigned data);
/// Where the bytes that one lane accesses are in host memory; nullptr: they are not resident. nullopt, and a fault,
/// when the access is not allowed.
std::optional<uint8_t*> locate(Wave& wave, TransferKind kind, unsigned lane, uint64_t address, uint64_t bytes);
/// Points a lane of the transfer at a guest address; false (and a fault) when that is not allowed. Components that are
/// not resident become invalid.
bool place_lane(Wave& wave, Transfer& transfer, unsigned lane, uint64_t address, uint8_t valid);
/// To be called when every lane is placed.
void end_transfer(Wave& wave, Transfer& transfer);

/// An instruction that invalidates caches or writes them back. It moves no data, but orders what this and other waves
/// do.
void control_caches(Wave& wave, const Step& step);

/// All components in range.
constexpr uint8_t kAllValid = 0xff;

}  // namespace spalt::emu
