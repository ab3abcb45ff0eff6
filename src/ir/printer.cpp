// SPDX-License-Identifier: MIT
#include "ir/printer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/bits.h"
#include "base/half.h"
#include "ir/names.h"

namespace spalt::ir {
namespace {

template <class Float>
std::string decimal(Float value) {
  char buffer[64];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string hexadecimal(uint64_t value) {
  char buffer[32];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value, 16);
  return "0x" + std::string(buffer, end);
}

/// The shortest decimal that reads back as the same half.
std::string half_text(uint16_t bits) {
  const double value = half_to_double(bits);
  if (!std::isfinite(value)) return hexadecimal(bits);
  for (int digits = 1; digits <= 5; ++digits) {
    char buffer[64];
    const auto [end, code] = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, digits);
    double shorter = 0;
    std::from_chars(buffer, end, shorter);
    if (double_to_half(shorter) == bits) return decimal(shorter);
  }
  return decimal(value);
}

}  // namespace

std::string print_constant(Type type, uint64_t bits) {
  switch (type.scalar) {
    case Scalar::i1:
      return (bits & 1) != 0 ? "true" : "false";
    case Scalar::f16:
      return half_text(static_cast<uint16_t>(bits));
    case Scalar::f32: {
      const float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
      return std::isfinite(value) ? decimal(value) : hexadecimal(bits);
    }
    case Scalar::f64: {
      const double value = std::bit_cast<double>(bits);
      return std::isfinite(value) ? decimal(value) : hexadecimal(bits);
    }
    case Scalar::none:
    case Scalar::resource:
      return hexadecimal(bits);
    default:
      return std::to_string(sign_extend(bits, type.scalar_bits()));
  }
}

namespace {

/// Names come from SPIR-V and may hold any bytes.
std::string word_of(std::string_view name) {
  std::string word(name);
  for (char& c : word) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '.') c = '_';
  }
  return word.empty() ? "_" : word;
}

class Printer {
 public:
  Printer(const Function& function, TextMap* map) : function_(function), map_(map), numbers_(function) {
    if (map_ == nullptr) return;
    map_->insts.assign(function.value_capacity(), {});
    map_->blocks.assign(function.block_capacity(), {});
    map_->operands.clear();
  }

  std::string print_function();
  std::string print_inst(Value value) {
    inst(value);
    return std::move(out_);
  }

 private:
  uint32_t here() const { return static_cast<uint32_t>(out_.size()); }
  void put(std::string_view text) { out_ += text; }
  void separate() {
    if (!first_item_) put(", ");
    first_item_ = false;
  }
  void item(std::string_view text) {
    separate();
    put(text);
  }

  bool known(Value value) const { return value.index < function_.value_capacity(); }
  std::string value_text(Value value) const;
  std::string block_text(BlockId block) const;
  void record_operand(Value value, unsigned index, uint32_t begin);
  void operand(Value value, unsigned index);
  Type implied(Value value, unsigned index) const;

  void signature();
  void block_header(BlockId id);
  void inst(Value value);
  void inst_body(Value value);
  void operands(Value value);
  void phi_operands(Value value);
  void immediate(const Inst& inst);
  void scan_form(const ScanForm& form);
  void interface_access(const InterfaceAccess& access);
  void export_access(const ExportAccess& access);
  void fetch_access(const FetchAccess& access);
  void access(const Inst& inst);
  void image(const Inst& inst);
  void common_access(const MemoryAccess& access);
  void targets(const Inst& inst);
  void flags(const Inst& inst);

  const Function& function_;
  TextMap* map_;
  Numbering numbers_;
  std::string out_;
  bool first_item_ = true;
};

std::string Printer::value_text(Value value) const {
  if (!known(value) || numbers_.values[value] == Numbering::kUnnumbered) return "%?" + std::to_string(value.index);
  return "%" + std::to_string(numbers_.values[value]);
}

std::string Printer::block_text(BlockId block) const {
  if (!numbers_.blocks.contains(block) || numbers_.blocks[block] == Numbering::kUnnumbered) {
    return "b?" + std::to_string(block.index);
  }
  return "b" + std::to_string(numbers_.blocks[block]);
}

void Printer::record_operand(Value value, unsigned index, uint32_t begin) {
  if (map_ == nullptr) return;
  const size_t slot = function_.inst(value).operand_begin + index;
  if (map_->operands.size() <= slot) map_->operands.resize(slot + 1);
  map_->operands[slot] = {begin, here()};
}

/// The type the reader of the text will expect; mirrors what the parser knows at this point.
Type Printer::implied(Value value, unsigned index) const {
  const Inst& inst = function_.inst(value);
  OperandContext context{inst.op, inst.type, StorageClass::storage, function_.return_type};
  if (is_memory(inst.op)) context.storage = MemoryAccess::unpack(inst.imm).storage;
  Type first;
  const Value first_operand = inst.operand_count != 0 ? function_.operand(value, 0) : Value();
  if (index != 0 && known(first_operand)) {
    const Op op = function_.inst(first_operand).op;
    const uint32_t number = numbers_.values[first_operand];
    const bool inline_value = op == Op::constant || op == Op::undef;
    // An instruction without result has no number; none of those has an implied type that depends on `first`.
    if (inline_value || number < numbers_.values[value]) first = function_.type(first_operand);
  }
  return implied_operand_type(context, index, first);
}

void Printer::operand(Value user, unsigned index) {
  const uint32_t begin = here();
  const Value value = function_.operand(user, index);
  const Op op = known(value) ? function_.inst(value).op : Op::count;
  if (op == Op::constant || op == Op::undef) {
    const Inst& inst = function_.inst(value);
    const bool says_type = op == Op::constant && inst.type == kBool;
    if (!says_type && inst.type != implied(user, index)) put(type_name(inst.type) + " ");
    put(op == Op::undef ? "undef" : print_constant(inst.type, inst.imm));
  } else {
    put(value_text(value));
  }
  record_operand(user, index, begin);
}

std::string Printer::print_function() {
  signature();
  for (BlockId id : function_.layout()) {
    block_header(id);
    for (Value value : insts(function_, id)) {
      put("  ");
      inst(value);
      put("\n");
    }
  }
  put("}\n");
  return std::move(out_);
}

void Printer::signature() {
  put("func @" + word_of(function_.name) + "(");
  first_item_ = true;
  for (Value param : function_.params) {
    separate();
    const uint32_t begin = here();
    put(value_text(param) + ": " + type_name(function_.type(param)));
    if (map_ != nullptr) map_->insts[param] = {begin, here()};
  }
  put(")");
  if (!function_.return_type.is_none()) put(" -> " + type_name(function_.return_type));
  put(" {\n");
}

void Printer::block_header(BlockId id) {
  const Block& block = function_.block(id);
  const uint32_t begin = here();
  put(block_text(id) + ":");
  if (block.is_loop_header()) put(" loop");
  if (block.merge.valid()) put(" merge " + block_text(block.merge));
  if (block.merge.valid() && block.is_loop_header()) put(",");
  if (block.is_loop_header()) put(" continue " + block_text(block.continue_target));
  if (map_ != nullptr) map_->blocks[id] = {begin, here()};
  put("\n");
}

void Printer::inst(Value value) {
  const uint32_t begin = here();
  inst_body(value);
  if (map_ != nullptr) map_->insts[value] = {begin, here()};
}

void Printer::inst_body(Value value) {
  const Inst& inst = function_.inst(value);
  if (!inst.type.is_none()) put(value_text(value) + ": " + type_name(inst.type) + " = ");
  put(info(inst.op).name);
  if (is_memory(inst.op)) {
    put(".");
    put(storage_name(MemoryAccess::unpack(inst.imm).storage));
  }
  if (is_image(inst.op)) put("." + image_shape_name(ImageAccess::unpack(inst.imm)));
  const size_t length = out_.size();
  put(" ");
  first_item_ = true;
  if (inst.op == Op::phi) {
    phi_operands(value);
  } else {
    const bool describes = describes_first(inst.op);
    if (describes) immediate(inst);  // which one, then the rest
    operands(value);
    if (!describes) immediate(inst);
  }
  if (has_access(inst.op)) access(inst);
  if (is_image(inst.op)) image(inst);
  if (is_terminator(inst.op)) targets(inst);
  if (first_item_) out_.resize(length);
  flags(inst);
  if (inst.origin != 0) put(" @" + std::to_string(inst.origin));
}

void Printer::operands(Value value) {
  for (unsigned i = 0; i < function_.inst(value).operand_count; ++i) {
    separate();
    operand(value, i);
  }
}

/// Entries appear in the layout order of the predecessors, the order in which the parser finds the edges again.
void Printer::phi_operands(Value value) {
  const Inst& inst = function_.inst(value);
  std::span<const BlockId> preds;
  if (inst.block.valid()) preds = function_.block(inst.block).preds;
  SmallVector<uint32_t, 8> order;
  for (uint32_t i = 0; i < inst.operand_count; ++i) order.push_back(i);
  const auto position = [&](uint32_t i) {
    return i < preds.size() && numbers_.blocks.contains(preds[i]) ? numbers_.blocks[preds[i]] : Numbering::kUnnumbered;
  };
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return position(a) < position(b); });
  for (uint32_t i : order) {
    separate();
    put("[" + block_text(i < preds.size() ? preds[i] : BlockId()) + " ");
    operand(value, i);
    put("]");
  }
}

void Printer::immediate(const Inst& inst) {
  switch (inst.op) {
    case Op::constant:
      item(print_constant(inst.type, inst.imm));
      break;
    case Op::builtin: {
      const std::string name = builtin_name(inst.imm);
      item(name.empty() ? hexadecimal(inst.imm) : name);
      break;
    }
    case Op::quad_permute:
      item(hexadecimal(inst.imm));
      break;
    case Op::input:
    case Op::output:
      interface_access(InterfaceAccess::unpack(inst.imm));
      break;
    case Op::export_to:
      export_access(ExportAccess::unpack(inst.imm));
      break;
    case Op::fetch:
      fetch_access(FetchAccess::unpack(inst.imm));
      break;
    case Op::scan:
    case Op::scan_part:
      scan_form(ScanForm::unpack(inst.imm));
      break;
    case Op::param:
    case Op::extract:
    case Op::ballot:
    case Op::read_clock:
    case Op::interpolate:
    case Op::parameter:
    case Op::load_parameter:
    case Op::store_parameter:
    case Op::pack_export:
    case Op::bits_below:
    case Op::shuffle:
    case Op::resource:
    case Op::sampler:
    case Op::buffer_key:
    case Op::arg:
      item(std::to_string(inst.imm));
      break;
    default:
      break;
  }
}

void Printer::scan_form(const ScanForm& form) {
  item(form.combine < Op::count ? info(form.combine).name : "?");
  std::string kind(scan_kind_name(form.kind));
  if (form.kind == ScanKind::cluster) kind += " " + std::to_string(form.cluster);
  item(kind);
}

void Printer::interface_access(const InterfaceAccess& access) {
  item(interface_name(access));
  if (access.index != 0) item("index " + std::to_string(access.index));
  if (access.interpolation != Interpolation::none) item(interpolation_name(access.interpolation));
  if (access.place != SamplePlace::center) item(sample_place_name(access.place));
}

void Printer::export_access(const ExportAccess& access) {
  const std::string target = export_target_name(access.target);
  item(target.empty() ? std::to_string(access.target) : target);
  if (access.mask != 0xf) item("mask " + (access.mask == 0 ? "none" : texel_mask_name(access.mask)));
  if (access.compressed) item("compressed");
  if (access.done) item("done");
  if (access.valid_mask) item("valid_mask");
}

void Printer::fetch_access(const FetchAccess& access) {
  if (access.format != 0) item("format " + std::to_string(access.format));
  if (access.offset != 0) item("offset " + std::to_string(access.offset));
}

void Printer::access(const Inst& inst) {
  const MemoryAccess access = MemoryAccess::unpack(inst.imm);
  if (is_memory(inst.op)) {
    if (access.offset != 0) item("offset " + std::to_string(access.offset));
    item("align " + std::to_string(uint64_t{1} << (access.align_log2 & 63)));
  } else {
    for (const BitName& entry : storage_bit_names()) {
      if ((access.offset & entry.bit) != 0) item(entry.name);
    }
  }
  common_access(access);
}

void Printer::image(const Inst& inst) {
  const ImageAccess access = ImageAccess::unpack(inst.imm);
  for (const BitName& entry : image_part_names()) {
    if ((access.parts & entry.bit) != 0) item(entry.name);
  }
  if (access.mask != default_texel_mask(inst.op)) item("mask " + texel_mask_name(access.mask));
  for (const BitName& entry : image_trait_names()) {
    if ((access.traits & entry.bit) != 0) item(entry.name);
  }
  if (inst.op == Op::image_atomic) item(atomic_kind_name(access.atomic));
  common_access(MemoryAccess::unpack(inst.imm));
}

void Printer::common_access(const MemoryAccess& access) {
  for (const BitName& entry : access_flag_names()) {
    if ((access.flags & entry.bit) != 0) item(entry.name);
  }
  if (access.scope != Scope::invocation) item("scope " + std::string(scope_name(access.scope)));
  if (access.order != MemoryOrder::none) item("order " + std::string(order_name(access.order)));
}

void Printer::targets(const Inst& inst) {
  if (!inst.block.valid()) return;
  const Block& block = function_.block(inst.block);
  for (uint32_t i = 0; i < block.succs.size(); ++i) {
    const bool has_case = inst.op == Op::switch_on && i > 0 && i - 1 < block.cases.size();
    item((has_case ? std::to_string(block.cases[i - 1]) + ": " : "") + block_text(block.succs[i]));
  }
}

void Printer::flags(const Inst& inst) {
  if (inst.flags == 0) return;
  put(" {");
  first_item_ = true;
  for (const BitName& entry : inst_flag_names()) {
    if ((inst.flags & entry.bit) != 0) item(entry.name);
  }
  put("}");
}

/// A module without a word about its stage is a compute shader.
void print_facts(std::string& out, const ComputeFacts& facts) {
  const auto& size = facts.workgroup_size;
  if (facts.workgroup_size != ComputeFacts().workgroup_size) {
    out += "workgroup_size " + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
           std::to_string(size[2]) + "\n";
  }
  if (facts.derivatives == DerivativeGroup::none) return;
  out += facts.derivatives == DerivativeGroup::linear ? "derivative_group linear\n" : "derivative_group quads\n";
}

void print_facts(std::string& out, const VertexFacts& facts) {
  out += "shader vertex\n";
  if (facts.all_lanes) out += "all_lanes\n";
}

void print_facts(std::string& out, const FragmentFacts& facts) {
  out += "shader fragment\n";
  if (facts.early_tests) out += "early_tests\n";
  if (facts.whole_quads) out += "whole_quads\n";
  if (facts.post_depth_coverage) out += "post_depth_coverage\n";
  if (facts.per_sample) out += "per_sample\n";
  if (facts.depth_bound != DepthBound::any) {
    out += "depth_bound " + std::string(depth_bound_name(facts.depth_bound)) + "\n";
  }
}

void print_fast_math(std::string& out, std::string_view field, uint16_t fast_math) {
  if (fast_math == kAllFastMath) return;
  out += std::string(field) + " {";
  const char* separator = "";
  for (const BitName& entry : inst_flag_names()) {
    if ((entry.bit & kAllFastMath & fast_math) == 0) continue;
    out += separator + std::string(entry.name);
    separator = ", ";
  }
  out += "}\n";
}

/// Eight dwords a line; the lines follow each other in memory.
void print_tables(std::string& out, std::span<const uint8_t> bytes) {
  constexpr size_t kLine = 32;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4; ++byte) word |= uint32_t{bytes[at + byte]} << (8 * byte);
    out += at % kLine == 0 ? "table " : ", ";
    out += hexadecimal(word);
    if (at % kLine == kLine - 4 || at + 8 > bytes.size()) out += "\n";
  }
}

std::string print_header(const Module& module) {
  std::string out;
  const auto field = [&](std::string_view name, uint32_t value) {
    if (value != 0) out += std::string(name) + " " + std::to_string(value) + "\n";
  };
  if (module.stage != Stage::core) out += "stage " + std::string(stage_name(module.stage)) + "\n";
  std::visit([&out](const auto& facts) { print_facts(out, facts); }, module.shader);
  field("shared_bytes", module.shared_bytes);
  for (const SharedRange& range : module.zeroed_shared) {
    out += "zeroed_shared " + std::to_string(range.begin) + ", " + std::to_string(range.bytes) + "\n";
  }
  field("scratch_bytes", module.scratch_bytes);
  for (const ScratchVariable& variable : module.scratch_variables) {
    out += "scratch_variable " + std::to_string(variable.offset) + ", " + std::to_string(variable.bytes) + "\n";
  }
  print_tables(out, module.tables);
  field("push_constant_bytes", module.push_constant_bytes);
  if (module.float_mode != kDefaultFloatMode) out += "float_mode " + hexadecimal(module.float_mode) + "\n";
  if (module.must_flush_f16) out += "must_flush_f16\n";
  if (module.must_flush_f32) out += "must_flush_f32\n";
  if (module.must_flush_f64) out += "must_flush_f64\n";
  print_fast_math(out, "fast_math_f16", module.fast_math_f16);
  print_fast_math(out, "fast_math_f32", module.fast_math_f32);
  print_fast_math(out, "fast_math_f64", module.fast_math_f64);
  for (const Binding& binding : module.bindings) {
    out += "binding " + std::to_string(binding.set) + ", " + std::to_string(binding.binding);
    out += ", " + std::string(binding_kind_name(binding.kind));
    if (binding.read_only) out += ", read_only";
    if (binding.aliased) out += ", aliased";
    if (binding.addressed) out += ", addressed";
    if (binding.count == 0) out += ", runtime_count";
    if (binding.count > 1) out += ", count " + std::to_string(binding.count);
    out += "\n";
  }
  for (const EntryArg& arg : module.args) {
    out += "arg \"" + word_of(arg.name.view()) + "\", " + (arg.file == EntryArg::File::sgpr ? "sgpr " : "vgpr ");
    out += std::to_string(arg.reg);
    if (arg.dwords != 1) out += ", dwords " + std::to_string(arg.dwords);
    if (arg.max != 0xffffffff) out += ", max " + std::to_string(arg.max);
    out += "\n";
  }
  for (const HandedRegister& handed : module.handed) {
    out += "handed \"" + word_of(handed.name.view()) + "\", ";
    out += (handed.file == EntryArg::File::sgpr ? "sgpr " : "vgpr ") + std::to_string(handed.reg) + "\n";
  }
  return out;
}

void write_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

Numbering::Numbering(const Function& function)
    : values(function.value_capacity(), kUnnumbered), blocks(function.block_capacity(), kUnnumbered) {
  uint32_t next_value = 0, next_block = 0;
  for (Value param : function.params) {
    if (values.contains(param)) values[param] = next_value++;
  }
  for (BlockId id : function.layout()) {
    blocks[id] = next_block++;
    for (Value value : insts(function, id)) {
      if (!function.type(value).is_none()) values[value] = next_value++;
    }
  }
}

std::string print(const Module& module) {
  std::string out = print_header(module);
  for (const Function& function : module.functions) {
    if (!out.empty()) out += "\n";
    out += print(function);
  }
  if (!module.vertex_work.layout().empty()) out += "\nvertex_work " + print(module.vertex_work);
  return out;
}

std::string print(const Function& function, TextMap* map) {
  return Printer(function, map).print_function();
}

std::string print(const Function& function, Value value) {
  return Printer(function, nullptr).print_inst(value);
}

void dump(const Module& module) {
  write_error(print(module));
}
void dump(const Function& function) {
  write_error(print(function));
}
void dump(const Function& function, Value value) {
  write_error(print(function, value) + "\n");
}

}  // namespace spalt::ir
