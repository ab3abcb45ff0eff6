// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "amdgpu/isa/target.h"
#include "amdgpu/metadata/registers.h"
#include "amdgpu/object/msgpack_view.h"

namespace spalt::metadata {

/// What one hardware stage says about itself, from named fields (version 3) or from its registers (version 2).
struct StageFacts {
  Stage stage;
  std::string path;
  std::string_view entry_symbol;  ///< empty when it is not named
  std::optional<uint32_t> vgpr_count, sgpr_count, lds_size, scratch_size, wave_size, user_sgprs, shared_vgprs;
  std::optional<bool> scratch_en, wgp_mode;
  std::optional<std::array<uint32_t, 3>> dimensions;
  std::optional<uint32_t> vgprs_field;  ///< RSRC1.VGPRS of version 2
  /// Codes of docs/abi/pal.md#user-data-codes; abi::kNotMapped where there is none
  std::array<uint32_t, 32> user_data;
  unsigned user_data_count = 0;  ///< registers that the document describes
};

/// The one pipeline of a document, as loaders would see it. Views into the document.
struct PipelineFacts {
  const object::Object* pipeline = nullptr;  ///< nullptr: none
  uint64_t major = 0;
  std::string_view type;
  const object::Object* registers = nullptr;  ///< `.registers` of version 2
  const object::Object* graphics = nullptr;   ///< `.graphics_registers`
  const object::Object* compute = nullptr;
  const object::Object* functions = nullptr;
  std::vector<StageFacts> stages;

  const StageFacts* find(Stage stage) const;
  /// A raw register by name; nullopt when the document does not set it.
  std::optional<uint32_t> raw_register(std::string_view name, isa::Generation generation) const;
};

PipelineFacts gather_facts(const object::Object& root, const isa::Target& target);

/// The number under `key`, when it is there and has 32 bits.
std::optional<uint32_t> number_at(const object::Object* map, std::string_view key);
bool flag_at(const object::Object* map, std::string_view key);

}  // namespace spalt::metadata
