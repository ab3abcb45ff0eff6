// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/abi/user_data.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/object/shader_object.h"
#include "spirv/reader.h"

namespace spalt::driver {

/// Receives the text of the IR or machine IR after a pass.
using DumpSink = std::function<void(std::string_view pass, const std::string& text)>;

/// Everything one compilation depends on besides the words.
struct Options {
  const isa::Target* target = nullptr;
  std::string entry_point;  ///< empty: the module's only one
  std::vector<spirv::Specialization> specialization;
  bool has_layout = false;  ///< else derived from the module
  abi::UserDataLayout layout;
  unsigned wave_size = 32;
  std::array<uint32_t, 3> max_workgroups{65535, 65535, 65535};  ///< of a dispatch, in each dimension
  bool wgp_mode = false;
  object::MetadataVersion metadata = object::MetadataVersion::v3_0;
  bool want_assembly = false;
  bool verify = false;
  std::string stop_after, dump_after;
  DumpSink dump;
};

/// Nanoseconds of one stage.
struct StageTime {
  const char* stage;
  uint64_t nanoseconds;
};

struct Statistics {
  uint32_t instructions = 0, code_bytes = 0, sgprs = 0, vgprs = 0, spilled_sgprs = 0, spilled_vgprs = 0;
  uint32_t lds_bytes = 0, scratch_bytes = 0, wave_size = 0, waves_per_simd = 0;
  uint32_t workgroup_size[3] = {1, 1, 1};
};

/// Where one binding of the module lies in the driver's memory.
struct BindingPlace {
  uint32_t set, binding, count, entry, offset, stride;
};

struct Output {
  bool stopped = false;  ///< stop_after was reached: no ELF
  std::vector<uint8_t> elf;
  std::string assembly;
  Statistics statistics;
  std::vector<StageTime> stages;
  std::vector<BindingPlace> bindings;
  uint32_t push_constant_entry = 0, push_constant_dwords = 0;
};

}  // namespace spalt::driver
