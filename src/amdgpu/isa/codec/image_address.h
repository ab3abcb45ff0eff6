// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/isa/codec/codec.h"

namespace spalt::isa {

bool is_image(Format format);
/// Whether an image instruction has a sampler: a sample, gather or query of levels.
bool takes_sampler(const OpcodeInfo& info);
/// Whether the unit may treat the sample as a load, where it finds that no filter is needed: it returns in order with
/// neither then (LLVM, FeaturePointSampleAccel).
bool may_go_as_load(Opcode sample, Generation generation);

/// Dwords of address that an image instruction needs. GFX9 leaves the dimension to the resource: there it is the least
/// number, which is what LLVM's disassembler prints.
unsigned image_address_dwords(const OpcodeInfo& info, const Modifiers& mods, Generation generation);

/// Whether the instruction says how many coordinates there are.
bool image_has_dimension(Generation generation);

/// The address as a list of registers (NSA): how many dwords each entry takes.
struct ImageAddressList {
  uint8_t widths[13] = {};
  unsigned count = 0;
};
ImageAddressList image_address_list(const OpcodeInfo& info, const Modifiers& mods, Format format,
                                    Generation generation);

/// Whether a list may as well be one tuple, when each register follows the one before.
bool image_addresses_may_join(Generation generation);
/// Which source of an image instruction is its address: the last one before image and sampler.
unsigned image_address_operand(const OpcodeInfo& info);

/// Dwords of data of an image instruction. The result of a compare-and-swap is half as wide as its source.
unsigned image_data_dwords(const OpcodeInfo& info, const Modifiers& mods, bool is_result);

/// The address registers after the first. Return nullptr or why there is no such instruction.
const char* encode_image_address(const OpcodeInfo& info, const Inst& inst, Format format, Generation generation,
                                 EncodedInst& out);
const char* decode_image_address(const OpcodeInfo& info, std::span<const uint32_t> words, Generation generation,
                                 Inst& inst);

}  // namespace spalt::isa
