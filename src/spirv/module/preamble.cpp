// SPDX-License-Identifier: MIT
// The module before its functions, instruction by instruction in the order that the SPIR-V specification demands
// (section 2.4, "Logical Layout of a Module").
#include "spirv/module/preamble.h"

#include <algorithm>
#include <array>
#include <spirv/unified1/spirv.hpp>
#include <utility>

#include "ir/names.h"
#include "spirv/capabilities.h"
#include "spirv/module/names.h"
#include "spirv/printf/printf.h"
#include "spirv/recent.h"

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
    case kOpUntypedVariable:
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
    case kOpExtInstWithForwardRefs:
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
  r.has_variable_pointers |=
      in[1] == spv::CapabilityVariablePointers || in[1] == spv::CapabilityVariablePointersStorageBuffer;
  r.has_untyped_pointers |= in[1] == kCapabilityUntypedPointers;
  const bool known = is_supported_capability(in[1], r.options.stage) || is_wanted_width(r.options.widths, in[1]);
  return known || r.unsupported("capability " + capability_name(in[1]));
}

bool read_import(Reader& r, const Instruction& in) {
  std::string_view name;
  if (!r.has_words(in, 3) || !r.string_at(in, 2, name)) return false;
  ExtSet set = kExtUnknown;
  if (name == "GLSL.std.450") set = kExtGlsl;
  if (name == "SPV_AMD_shader_trinary_minmax") set = kExtTrinary;
  if (name == "SPV_AMD_shader_ballot") set = kExtBallot;
  if (name == "SPV_AMD_gcn_shader") set = kExtGcn;
  if (name == kPrintfSet) {
    set = kExtPrintf;
  } else if (name.starts_with("NonSemantic.") || name == "OpenCL.DebugInfo.100" || name == "DebugInfo") {
    set = kExtSkipped;
  }
  return r.define(in[1], IdKind::ext_set, kNone, set);
}

bool read_memory_model(Reader& r, const Instruction& in, Preamble& preamble) {
  if (!r.has_words(in, 3)) return false;
  if (preamble.has_memory_model) return r.fail("a second memory model");
  preamble.has_memory_model = true;
  r.has_addresses = in[1] == spv::AddressingModelPhysicalStorageBuffer64;
  if (in[1] != spv::AddressingModelLogical && !r.has_addresses) {
    return r.unsupported("an addressing model other than Logical and PhysicalStorageBuffer64");
  }
  if (in[2] == spv::MemoryModelOpenCL) return r.unsupported("memory model OpenCL");
  return in[2] <= spv::MemoryModelVulkan || r.fail("unknown memory model");
}

uint32_t execution_model(ir::ShaderStage stage) {
  switch (stage) {
    case ir::ShaderStage::compute:
      return spv::ExecutionModelGLCompute;
    case ir::ShaderStage::vertex:
      return spv::ExecutionModelVertex;
    case ir::ShaderStage::fragment:
      return spv::ExecutionModelFragment;
  }
  return kNone;
}

bool read_entry_point(Reader& r, const Instruction& in, Preamble& preamble) {
  std::string_view name;
  if (!r.has_words(in, 4) || !r.in_bound(in[2]) || !r.string_at(in, 3, name)) return false;
  if (in[1] != execution_model(r.options.stage)) return true;
  const std::string_view wanted = r.options.entry_point, stage = ir::shader_stage_name(r.options.stage);
  if (!wanted.empty() && wanted != name) return true;
  if (preamble.entry_points++ != 0) {
    if (wanted.empty()) {
      return r.fail(Status::invalid_argument,
                    concat("the module has several ", stage, " entry points, name one of them"));
    }
    return r.fail(concat("a second ", stage, " entry point named '", name, "'"));
  }
  r.entry_function_id = in[2];
  r.entry_word = in.offset;
  r.entry_interface = 3 + static_cast<uint32_t>(name.size()) / 4 + 1;
  r.function().name = name;
  return true;
}

bool read_anywhere(Reader& r, const Instruction& in) {
  if (in.opcode != spv::OpExtInst && in.opcode != kOpExtInstWithForwardRefs) return true;
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
    case kOpUntypedVariable:
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
  const bool first_declaration = section == kDeclarations && preamble.section != kDeclarations;
  preamble.section = section;
  if (first_declaration && !read_float_modes(r, preamble.execution_modes)) return false;
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
  if (r.options.strict_floats) {
    r.module.fast_math_f16 = r.module.fast_math_f32 = r.module.fast_math_f64 = ir::kAllFastMath & ~ir::kValueFreedoms;
  }
  switch (r.options.stage) {
    case ir::ShaderStage::compute:
      break;
    case ir::ShaderStage::vertex:
      r.module.shader = ir::VertexFacts();
      break;
    case ir::ShaderStage::fragment:
      r.module.shader = ir::FragmentFacts();
      break;
  }
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
    const std::string_view stage = ir::shader_stage_name(r.options.stage);
    return r.fail(Status::invalid_argument, name.empty() ? concat("the module has no ", stage, " entry point")
                                                         : concat("no ", stage, " entry point '", name, "'"));
  }
  if (!read_execution_modes(r, preamble.execution_modes)) return false;
  r.current = {};
  return r.options.stage != ir::ShaderStage::compute || apply_workgroup_size(r);
}

}  // namespace spalt::spirv
