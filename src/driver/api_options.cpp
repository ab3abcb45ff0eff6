// SPDX-License-Identifier: MIT
// The structs of spalt_compile_info as driver::Options: every number is checked here, and named when it is wrong.
#include "driver/api_options.h"

#include <bit>

#include "driver/api_graphics.h"
#include "ir/module.h"

namespace spalt::driver {

using api::bad_argument;
using api::CallerArray;
using api::read_struct;

namespace {

constexpr uint32_t version_of(uint32_t major, uint32_t minor) {
  return major << 16 | minor;
}
/// All versions, in the order of object::MetadataVersion.
constexpr uint32_t kVersions[] = {version_of(2, 6), version_of(3, 0), version_of(3, 6)};

abi::BindingKind to_kind(uint32_t kind) {
  static_assert(static_cast<uint32_t>(abi::BindingKind::user_data_buffer) == SPALT_BINDING_USER_DATA_BUFFER);
  return static_cast<abi::BindingKind>(kind);
}

std::string place_name(uint32_t set, uint32_t binding) {
  return "set " + std::to_string(set) + " binding " + std::to_string(binding);
}

Result<abi::UserDataLayout> read_layout(const spalt_user_data_layout& given, Arena& arena) {
  abi::UserDataLayout layout(&arena);
  layout.push_constant_entry = given.push_constant_entry;
  layout.push_constant_dwords = given.push_constant_dwords;
  uint64_t entries = uint64_t{given.push_constant_entry} + given.push_constant_dwords;
  const CallerArray<spalt_binding_location> bindings(given.bindings, given.binding_count, given.binding_size);
  if (!bindings.valid()) {
    return bad_argument(given.bindings == nullptr ? "layout has a binding count but no bindings"
                                                  : "binding_size is 0: set it to sizeof(spalt_binding_location)");
  }
  layout.bindings.reserve(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    const spalt_binding_location b = bindings[i];
    if (b.kind >= SPALT_BINDING_KIND_COUNT) return bad_argument(place_name(b.set, b.binding) + " has no known kind");
    const bool has_sampler = b.kind == SPALT_BINDING_SAMPLER || b.kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
    if (b.immutable_samplers != nullptr && !has_sampler) {
      return bad_argument(place_name(b.set, b.binding) + " has immutable samplers but no sampler");
    }
    layout.bindings.push_back(
        {b.set, b.binding, b.offset, b.stride, b.user_data_entry, b.count, to_kind(b.kind), b.immutable_samplers});
    if (b.kind == SPALT_BINDING_INLINE_DATA && b.offset % 4 != 0) {
      return bad_argument(place_name(b.set, b.binding) + " is inline data at an offset that is no multiple of 4");
    }
    const uint64_t used = b.kind == SPALT_BINDING_USER_DATA_BUFFER ? 4 * uint64_t{std::max(b.count, 1u)} : 1;
    entries = std::max<uint64_t>(entries, b.user_data_entry + used);
  }
  if (entries > abi::kPortableUserDataEntries) {
    return bad_argument("a layout has at most " + std::to_string(abi::kPortableUserDataEntries) + " user-data entries");
  }
  std::sort(layout.bindings.begin(), layout.bindings.end(), abi::comes_before);
  for (size_t i = 1; i < layout.bindings.size(); ++i) {
    const abi::BindingLocation& b = layout.bindings[i];
    if (abi::comes_before(layout.bindings[i - 1], b)) continue;
    return bad_argument(place_name(b.set, b.binding) + " is in the layout twice with the same kind");
  }
  layout.entry_count = static_cast<uint32_t>(entries);
  return layout;
}

/// FLOAT_MODE: see ir::Module::float_mode.
uint8_t float_mode(uint32_t demands) {
  uint8_t mode = ir::kDefaultFloatMode;
  if ((demands & SPALT_FLOAT_ROUND_TO_ZERO_32) != 0) mode |= 0x03;
  if ((demands & SPALT_FLOAT_ROUND_TO_ZERO_16_64) != 0) mode |= 0x0c;
  if ((demands & SPALT_FLOAT_PRESERVE_DENORMALS_32) != 0) mode |= 0x30;
  if ((demands & SPALT_FLOAT_FLUSH_DENORMALS_16_64) != 0) mode &= 0x3f;
  return mode;
}

Result<void> read_waves(const isa::Target& target, const spalt_compile_info& info, Options& options) {
  if (info.wave_size != 0 && info.wave_size != 32 && info.wave_size != 64) {
    return bad_argument("wave size must be 32 or 64, or 0 for the target's default");
  }
  if (info.wave_size == 32 && !target.has_wave32) return bad_argument("the target has no wave32");
  options.wave_size = info.wave_size != 0 ? info.wave_size : target.has_wave32 ? 32 : 64;
  if (info.wgp_mode != 0 && !target.has_wgp_mode) return bad_argument("the target has no work-group processor mode");
  options.wgp_mode = info.wgp_mode != 0;
  options.require_full_subgroups = info.require_full_subgroups != 0;
  for (unsigned i = 0; i < 3; ++i) {
    if (info.max_workgroup_count[i] != 0) options.max_workgroups[i] = info.max_workgroup_count[i];
  }
  return {};
}

/// Buffers are raw ones, whose bounds are checked to the byte by the hardware, and null ones have no bytes. Coordinates
/// of images and texel buffers are checked by the hardware as well.
Result<void> read_demands(const spalt_compile_info& info, Options& options) {
  for (uint32_t level : {info.uniform_buffer_robustness, info.storage_buffer_robustness, info.image_robustness}) {
    if (level > SPALT_ROBUSTNESS_2) return bad_argument("robustness is none of spalt_robustness");
  }
  if ((info.float_modes & ~kFloatModes) != 0) return bad_argument("float_modes has bits that are no spalt_float_mode");
  options.float_mode = float_mode(info.float_modes);
  options.strict_floats = (info.float_modes & SPALT_FLOAT_PRESERVE_SIGNED_ZERO_INF_NAN) != 0;
  if (info.printf != nullptr) {
    options.printf = spirv::PrintfPlace{info.printf->set, info.printf->binding, info.printf->first_message};
  }
  return {};
}

Result<void> read_limits(const isa::Target& target, const spalt_compile_info& info, Options& options) {
  const auto limit = [](uint32_t asked, uint32_t least, uint32_t all, unsigned& out) {
    if (asked != 0 && asked < least) return false;
    out = asked == 0 ? all : std::min(asked, all);
    return true;
  };
  if (!limit(info.max_vgprs, kMinVgprLimit, target.vgpr_limit, options.max_vgprs)) {
    return bad_argument("max_vgprs is below " + std::to_string(kMinVgprLimit));
  }
  if (!limit(info.max_sgprs, kMinSgprLimit, target.sgpr_count, options.max_sgprs)) {
    return bad_argument("max_sgprs is below " + std::to_string(kMinSgprLimit));
  }
  options.max_unroll_instructions = info.max_unroll_instructions;
  if (info.optimization > SPALT_OPTIMIZATION_FAST) return bad_argument("optimization is none of spalt_optimization");
  options.tier = info.optimization == SPALT_OPTIMIZATION_FAST ? Tier::fast : Tier::full;
  return {};
}

/// spalt_compile_info or spalt_piece_info.
template <class Info>
Result<void> read_watching(const Info& info, Options& options) {
  options.want_assembly = info.want_assembly != 0;
  options.want_part_times = info.want_part_times != 0;
  options.verify = info.verify != 0;
  if (info.stop_after != nullptr) {
    options.stop_after = find_pass(info.stop_after);
    if (!options.stop_after) return bad_argument("stop_after names no pass");
  }
  if (info.dump_after == nullptr || info.dump == nullptr) return {};
  options.dump_all = std::string_view(info.dump_after) == "all";
  options.dump_after = find_pass(info.dump_after);
  if (!options.dump_all && !options.dump_after) return bad_argument("dump_after names no pass");
  options.dump = [callback = info.dump, user = info.dump_user](std::string_view pass, const std::string& text) {
    callback(user, std::string(pass).c_str(), text.c_str());
  };
  return {};
}

}  // namespace

Result<Vector<spirv::Specialization>> read_specialization(const CallerArray<spalt_specialization_entry>& entries,
                                                          const void* data, size_t data_size, Arena* arena) {
  Vector<spirv::Specialization> values(arena);
  if (!entries.valid()) return bad_argument("specialization entries without their array or its element size");
  for (size_t i = 0; i < entries.size(); ++i) {
    const spalt_specialization_entry entry = entries[i];
    const auto bad_constant = [&entry](const char* what) {
      return bad_argument("specialization constant " + std::to_string(entry.constant_id) + what);
    };
    if (!std::has_single_bit(entry.size) || entry.size > 8) return bad_constant(" has no 1, 2, 4 or 8 bytes");
    if (data == nullptr || entry.offset > data_size || entry.size > data_size - entry.offset) {
      return bad_constant(" lies beyond the specialization data");
    }
    // Numbers in the order of this machine, which is little endian wherever the hardware is.
    uint64_t value = 0;
    std::memcpy(&value, static_cast<const unsigned char*>(data) + entry.offset, entry.size);
    values.push_back({entry.constant_id, value, static_cast<uint32_t>(entry.size)});
  }
  return values;
}

std::span<const uint32_t> metadata_versions(const isa::Target& target) {
  const std::span<const uint32_t> all = kVersions;
  const size_t first = target.min_metadata_major == 2 ? 0 : 1;
  return target.max_metadata_major == 2 ? all.first(1) : all.subspan(first);
}

Result<object::MetadataVersion> metadata_version(const isa::Target& target, uint32_t major, uint32_t minor) {
  using object::MetadataVersion;
  if (major == 0 && minor == 0) return target.max_metadata_major == 2 ? MetadataVersion::v2_6 : MetadataVersion::v3_0;
  const auto* known = std::find(std::begin(kVersions), std::end(kVersions), version_of(major & 0xffff, minor & 0xffff));
  if (known == std::end(kVersions) || major > 0xffff || minor > 0xffff) {
    return Error{Status::invalid_argument, "metadata version must be 2.6, 3.0 or 3.6, or 0.0 for the target's default"};
  }
  if (major > target.max_metadata_major) {
    return Error{Status::invalid_argument,
                 "loaders for " + std::string(target.name) +
                     " read metadata version 2.6 only: version 3 came with gfx10 (asked for " + std::to_string(major) +
                     "." + std::to_string(minor) + ")"};
  }
  if (major < target.min_metadata_major) {
    return Error{Status::invalid_argument,
                 "loaders for " + std::string(target.name) + " read no metadata version 2.6: gfx12 needs version 3"};
  }
  return static_cast<MetadataVersion>(known - std::begin(kVersions));
}

Result<ir::ShaderStage> read_shader_stage(const spalt_compile_info& info) {
  if (info.has_stage == 0) return ir::ShaderStage::compute;
  switch (info.stage) {
    case SPALT_STAGE_VERTEX:
      return ir::ShaderStage::vertex;
    case SPALT_STAGE_FRAGMENT:
      return ir::ShaderStage::fragment;
    case SPALT_STAGE_COMPUTE:
      return ir::ShaderStage::compute;
    default:
      return Error{Status::unsupported, "shaders of stage " + std::to_string(info.stage) + " are not supported"};
  }
}

Result<Options> read_options(const spalt_compiler& compiler, const spalt_compile_info& info, Arena& arena) {
  Options options(&arena);
  options.target = compiler.target;
  if (info.words == nullptr) return bad_argument("no SPIR-V words");
  const Result<ir::ShaderStage> stage = read_shader_stage(info);
  if (!stage) return stage.error();
  options.stage = *stage;
  if (info.entry_point != nullptr) options.entry_point = info.entry_point;
  auto specialization = read_specialization(
      {info.specialization_entries, info.specialization_entry_count, info.specialization_entry_size},
      info.specialization_data, info.specialization_data_size, &arena);
  if (!specialization) return specialization.error();
  options.specialization = std::move(*specialization);
  if (info.layout != nullptr) {
    auto layout = read_layout(read_struct(info.layout), arena);
    if (!layout) return layout.error();
    options.layout = std::move(*layout);
  }
  if (info.has_address_high != 0) options.address_high = info.address_high;
  if (options.stage != ir::ShaderStage::compute) {
    auto graphics = read_graphics(compiler, info, options.stage, arena);
    if (!graphics) return graphics.error();
    options.pipeline = std::move(*graphics);
    if (info.wgp_mode != 0) return bad_argument("work-group processor mode is for compute shaders");
  } else if (info.body_only != 0) {
    return bad_argument("a compute stage has no state that a piece could bring");
  }
  options.cancel = info.cancel;
  options.want_origins = info.want_origins != 0;
  for (Result<void> done : {read_waves(*compiler.target, info, options), read_demands(info, options),
                            read_limits(*compiler.target, info, options), read_watching(info, options)}) {
    if (!done) return done.error();
  }
  return options;
}

Result<Options> read_piece_options(const spalt_compiler& compiler, const spalt_piece_info& info, Arena& arena) {
  Options options(&arena);
  options.target = compiler.target;
  auto facts = read_piece(compiler, info);
  if (!facts) return facts.error();
  options.stage = facts->stage;
  options.wave_size = facts->wave_size;
  options.float_mode = facts->float_mode;
  options.pipeline = std::move(facts->graphics);
  options.max_vgprs = compiler.target->vgpr_limit;
  options.max_sgprs = compiler.target->sgpr_count;
  if (Result<void> done = read_watching(info, options); !done) return done.error();
  return options;
}

}  // namespace spalt::driver
