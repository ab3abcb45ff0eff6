// SPDX-License-Identifier: MIT
// The module before its functions, instruction by instruction in the order that the SPIR-V specification demands
// (section 2.4, "Logical Layout of a Module").
#include "spirv/module/preamble.h"

#include <algorithm>
#include <array>
#include <spirv/unified1/spirv.hpp>
#include <utility>

#include "spirv/capabilities.h"
#include "spirv/module/names.h"

namespace spalt::spirv {
namespace {

enum Section : uint8_t {
  kCapabilities,
  kExtensions,
  kImports,
  kMemoryModel,
  kEntryPoints,
  kExecutionModes,
  kDebug,
  kAnnotations,
  kDeclarations,
  kAnywhere,
  kFunctions,
  kNotHere
};

struct Preamble {
  explicit Preamble(Arena& arena) : execution_modes(arena) {}
  Section section = kCapabilities;
  bool has_memory_model = false;
  uint32_t entry_points = 0;
  Vector<uint32_t> execution_modes;  ///< words of the instructions
  uint8_t float_mode_set = 0;        ///< bits of FLOAT_MODE that an execution mode has chosen
};

constexpr Section listed_section(uint32_t opcode) {
  switch (opcode) {
    case spv::OpCapability:
      return kCapabilities;
    case spv::OpExtension:
      return kExtensions;
    case spv::OpExtInstImport:
      return kImports;
    case spv::OpMemoryModel:
      return kMemoryModel;
    case spv::OpEntryPoint:
      return kEntryPoints;
    case spv::OpExecutionMode:
    case spv::OpExecutionModeId:
      return kExecutionModes;
    case spv::OpString:
    case spv::OpSource:
    case spv::OpSourceExtension:
    case spv::OpSourceContinued:
    case spv::OpName:
    case spv::OpMemberName:
    case spv::OpModuleProcessed:
      return kDebug;
    case spv::OpDecorate:
    case spv::OpMemberDecorate:
    case spv::OpDecorationGroup:
    case spv::OpGroupDecorate:
    case spv::OpGroupMemberDecorate:
    case spv::OpDecorateId:
    case spv::OpDecorateString:
    case spv::OpMemberDecorateString:
      return kAnnotations;
    case spv::OpUndef:
    case spv::OpVariable:
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstant:
    case spv::OpConstantComposite:
    case spv::OpConstantNull:
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
    case spv::OpSpecConstantComposite:
    case spv::OpSpecConstantOp:
      return kDeclarations;
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpExtInst:
    case spv::OpNop:
      return kAnywhere;
    case spv::OpFunction:
      return kFunctions;
    default:
      return kNotHere;
  }
}

constexpr uint32_t kListedOpcodes = 512;
constexpr std::array<Section, kListedOpcodes> make_sections() {
  std::array<Section, kListedOpcodes> sections{};
  for (uint32_t opcode = 0; opcode < kListedOpcodes; ++opcode) sections[opcode] = listed_section(opcode);
  return sections;
}
constexpr std::array<Section, kListedOpcodes> kSections = make_sections();

Section section_of(uint32_t opcode) {
  const Section listed = opcode < kListedOpcodes ? kSections[opcode] : listed_section(opcode);
  return listed == kNotHere && opcode_info(opcode).declares_type ? kDeclarations : listed;
}

/// Capabilities that come with numbers of other widths.
bool is_wanted_width(const Widths& widths, uint32_t capability) {
  switch (capability) {
    case spv::CapabilityInt8:
    case spv::CapabilityStorageBuffer8BitAccess:
    case spv::CapabilityUniformAndStorageBuffer8BitAccess:
    case spv::CapabilityStoragePushConstant8:
      return widths.int8;
    case spv::CapabilityInt16:
      return widths.int16;
    case spv::CapabilityStorageBuffer16BitAccess:
    case spv::CapabilityUniformAndStorageBuffer16BitAccess:
    case spv::CapabilityStoragePushConstant16:
      return widths.int16 || widths.float16;
    case spv::CapabilityInt64:
      return widths.int64;
    case spv::CapabilityFloat16:
      return widths.float16;
    case spv::CapabilityFloat64:
      return widths.float64;
    default:
      return false;
  }
}

bool read_capability(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 2)) return false;
  if (in[1] == spv::CapabilityDotProductInput4x8Bit) r.has_bytes = true;
  const bool known = is_supported_capability(in[1]) || is_wanted_width(r.options.widths, in[1]);
  return known || r.unsupported("capability " + capability_name(in[1]));
}

bool read_import(Reader& r, const Instruction& in) {
  std::string_view name;
  if (!r.has_words(in, 3) || !r.string_at(in, 2, name)) return false;
  ExtSet set = kExtUnknown;
  if (name == "GLSL.std.450") set = kExtGlsl;
  if (name == "SPV_AMD_shader_trinary_minmax") set = kExtTrinary;
  if (name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "DebugInfo") set = kExtSkipped;
  return r.define(in[1], IdKind::ext_set, kNone, set);
}

bool read_memory_model(Reader& r, const Instruction& in, Preamble& preamble) {
  if (!r.has_words(in, 3)) return false;
  if (preamble.has_memory_model) return r.fail("a second memory model");
  preamble.has_memory_model = true;
  if (in[1] != spv::AddressingModelLogical) return r.unsupported("an addressing model other than Logical");
  if (in[2] == spv::MemoryModelOpenCL) return r.unsupported("memory model OpenCL");
  return in[2] <= spv::MemoryModelVulkan || r.fail("unknown memory model");
}

bool read_entry_point(Reader& r, const Instruction& in, Preamble& preamble) {
  std::string_view name;
  if (!r.has_words(in, 4) || !r.in_bound(in[2]) || !r.string_at(in, 3, name)) return false;
  if (in[1] != spv::ExecutionModelGLCompute) return true;
  const std::string_view wanted = r.options.entry_point;
  if (!wanted.empty() && wanted != name) return true;
  if (preamble.entry_points++ != 0) {
    if (wanted.empty()) {
      return r.fail(Status::invalid_argument, "the module has several compute entry points, name one of them");
    }
    return r.fail(concat("a second compute entry point named '", name, "'"));
  }
  r.entry_function_id = in[2];
  r.function().name = name;
  return true;
}

bool read_anywhere(Reader& r, const Instruction& in) {
  if (in.opcode != spv::OpExtInst) return true;
  if (!r.has_words(in, 5) || !r.in_bound(in[3])) return false;
  if (r.ids[in[3]].kind != IdKind::ext_set) return r.fail("expected an extended instruction set");
  if (r.ids[in[3]].index != kExtSkipped) return r.fail("only debug information may stand before the functions");
  uint32_t type = 0;
  return r.type_of(in[1], type) && r.define(in[2], IdKind::string);
}

bool read_debug(Reader& r, const Instruction& in) {
  if (in.opcode != spv::OpString) return true;  // names and sources: nothing relies on them
  std::string_view text;
  return r.has_words(in, 3) && r.string_at(in, 2, text) && r.define(in[1], IdKind::string);
}

bool read_declaration(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpVariable:
      return read_global(r, in);
    case spv::OpSpecConstantOp:
      return read_spec_constant_op(r, in);
    case spv::OpUndef:
    case spv::OpConstantTrue:
    case spv::OpConstantFalse:
    case spv::OpConstant:
    case spv::OpConstantComposite:
    case spv::OpConstantNull:
    case spv::OpSpecConstantTrue:
    case spv::OpSpecConstantFalse:
    case spv::OpSpecConstant:
    case spv::OpSpecConstantComposite:
      return read_constant(r, in);
    default:
      return read_type(r, in);
  }
}

bool read_one(Reader& r, const Instruction& in, Preamble& preamble) {
  const Section section = section_of(in.opcode);
  if (section == kNotHere) return r.fail("expected an instruction that may stand before the first function");
  if (section == kAnywhere) return read_anywhere(r, in);
  if (section < preamble.section) return r.fail("the instruction comes too late in the module");
  preamble.section = section;
  switch (section) {
    case kCapabilities:
      return read_capability(r, in);
    case kImports:
      return read_import(r, in);
    case kMemoryModel:
      return read_memory_model(r, in, preamble);
    case kEntryPoints:
      return read_entry_point(r, in, preamble);
    case kExecutionModes:
      preamble.execution_modes.push_back(in.offset);
      return r.has_words(in, 3);
    case kDebug:
      return read_debug(r, in);
    case kAnnotations:
      return read_annotation(r, in);
    case kDeclarations:
      return read_declaration(r, in) && r.check_limits();
    default:
      return true;
  }
}

/// Sets two bits of the FLOAT_MODE byte: bits 1:0 round f32, 5:4 f32 denormals (docs/abi/pal.md#float_mode).
/// Modes for the same two bits exclude each other.
bool set_float_mode(Reader& r, Preamble& preamble, const Instruction& in, unsigned shift, uint32_t bits) {
  if (!r.has_words(in, 4)) return false;
  if (in[3] != 32) return in[3] == 16 || in[3] == 64 || r.fail("expected a width of 16, 32 or 64");
  const auto mode = static_cast<uint8_t>((r.module.float_mode & ~(3u << shift)) | bits << shift);
  if ((preamble.float_mode_set >> shift & 3) != 0 && mode != r.module.float_mode) {
    return r.fail(execution_mode_name(in[2]) + " contradicts another execution mode of the entry point");
  }
  preamble.float_mode_set |= static_cast<uint8_t>(3u << shift);
  r.module.float_mode = mode;
  return true;
}

bool set_local_size(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 6)) return false;
  for (uint32_t i = 0; i < 3; ++i) {
    uint32_t size = in[3 + i];
    if (in.opcode == spv::OpExecutionModeId && !r.constant_u32(in[3 + i], size)) return false;
    r.module.compute().workgroup_size[i] = size;
  }
  return true;
}

bool set_derivatives(Reader& r, ir::DerivativeGroup group) {
  ir::DerivativeGroup& derivatives = r.module.compute().derivatives;
  if (derivatives != ir::DerivativeGroup::none && derivatives != group) {
    return r.fail("two execution modes for derivatives");
  }
  derivatives = group;
  return true;
}

bool read_execution_mode(Reader& r, Preamble& preamble, const Instruction& in) {
  if (in[1] != r.entry_function_id) return true;
  switch (in[2]) {
    case spv::ExecutionModeLocalSize:
    case spv::ExecutionModeLocalSizeId:
      return set_local_size(r, in);
    case spv::ExecutionModeDenormPreserve:
      return set_float_mode(r, preamble, in, 4, 3);
    case spv::ExecutionModeDenormFlushToZero:
      if (!set_float_mode(r, preamble, in, 4, 0)) return false;
      r.module.must_flush_f32 |= in[3] == 32;
      return true;
    case spv::ExecutionModeRoundingModeRTE:
      return set_float_mode(r, preamble, in, 0, 0);
    case spv::ExecutionModeRoundingModeRTZ:
      return set_float_mode(r, preamble, in, 0, 3);
    case spv::ExecutionModeSignedZeroInfNanPreserve:
      return true;
    case spv::ExecutionModeDerivativeGroupQuadsNV:
    case spv::ExecutionModeDerivativeGroupLinearNV:
      return set_derivatives(r, in[2] == spv::ExecutionModeDerivativeGroupQuadsNV ? ir::DerivativeGroup::quads
                                                                                  : ir::DerivativeGroup::linear);
    case spv::ExecutionModeSubgroupUniformControlFlowKHR:
      return true;  // lanes that part rejoin at the merge block anyway (docs/divergence.md)
    default:
      return r.unsupported("execution mode " + execution_mode_name(in[2]));
  }
}

/// The workgroup must consist of whole groups.
bool check_derivatives(Reader& r) {
  const ir::ComputeFacts& facts = r.module.compute();
  const auto& size = facts.workgroup_size;
  switch (facts.derivatives) {
    case ir::DerivativeGroup::none:
      return true;
    case ir::DerivativeGroup::linear:
      return facts.invocations() % 4 == 0 || r.fail("groups of four invocations in a workgroup of another multiple");
    case ir::DerivativeGroup::quads:
      return (size[0] % 2 == 0 && size[1] % 2 == 0) || r.fail("groups of 2 x 2 invocations in a workgroup of odd size");
  }
  return true;
}

/// A constant decorated WorkgroupSize overrides every LocalSize.
bool apply_workgroup_size(Reader& r) {
  if (r.workgroup_size_id != 0) {
    Leaves size;
    if (!r.vector_value(r.workgroup_size_id, ir::Scalar::i32, 3, size)) return false;
    for (uint32_t i = 0; i < 3; ++i) {
      r.module.compute().workgroup_size[i] = static_cast<uint32_t>(r.function().inst(r.leaf(size, i)).imm);
    }
  }
  const auto [x, y, z] = r.module.compute().workgroup_size;
  const uint32_t most = r.options.limits.workgroup_invocations;
  const bool ok = x != 0 && y != 0 && z != 0 && x <= most && y <= most && z <= most && uint64_t{x} * y * z <= most;
  if (ok) return check_derivatives(r);
  return r.fail(Status::limit_exceeded,
                concat("a workgroup of ", x, " x ", y, " x ", z, " invocations; at most ", most, " can run"));
}

}  // namespace

bool read_header(Reader& r) {
  if (r.words.size() < 5) return r.fail("a SPIR-V module has at least 5 words");
  r.version = r.words[1];
  r.bound = r.words[3];
  if (r.version < 0x10000 || r.version > kNewestVersion || (r.version & 0xff0000ffu) != 0) {
    r.current.offset = 1;
    return r.fail(Status::unsupported, "only SPIR-V versions 1.0 to 1.6 are supported");
  }
  r.current.offset = 3;
  if (r.bound == 0) return r.fail("the id bound is zero");
  if (r.bound > r.options.limits.id_bound) {
    return r.fail(Status::limit_exceeded, concat("the id bound exceeds ", r.options.limits.id_bound));
  }
  r.current = {};
  r.ids.resize(r.bound);
  r.decorations.reset(r.bound);
  return true;
}

bool read_preamble(Reader& r) {
  Preamble preamble(r.context.scratch);
  r.module.float_mode = r.options.float_mode;
  uint32_t word = 5;
  while (word < r.words.size()) {
    if (!decode(r, word, r.current)) return false;
    if (r.current.opcode == spv::OpFunction) break;
    if (!read_one(r, r.current, preamble)) return false;
    word += r.current.count;
  }
  r.functions_word = word;
  r.current = {};
  r.current.offset = word;
  if (!preamble.has_memory_model) return r.fail("expected OpMemoryModel before the functions");
  if (r.entry_function_id == 0) {
    const std::string_view name = r.options.entry_point;
    return r.fail(Status::invalid_argument, name.empty() ? "the module has no compute entry point"
                                                         : concat("no compute entry point '", name, "'"));
  }
  for (const uint32_t mode : preamble.execution_modes) {
    r.current = r.instruction_at(mode);
    if (!read_execution_mode(r, preamble, r.current)) return false;
  }
  r.current = {};
  r.b.set_float_controls(r.module.float_controls());
  return apply_workgroup_size(r);
}

}  // namespace spalt::spirv
