// SPDX-License-Identifier: MIT
#include "ir/names.h"

#include <array>

#include "base/text/lexer.h"
#include "ir/name_table.h"

namespace spalt::ir {
namespace {

constexpr std::array<std::string_view, 10> kScalars = {"void", "i1",  "i8",  "i16", "i32",
                                                       "i64",  "f16", "f32", "f64", "resource"};
constexpr std::array<std::string_view, 2> kStages = {"core", "lowered"};
constexpr std::array<std::string_view, 3> kShaderStages = {"compute", "vertex", "fragment"};
constexpr std::array<std::string_view, 9> kStorages = {"uniform", "storage",  "push",  "shared", "scratch",
                                                       "global",  "constant", "table", "image"};
constexpr std::array<std::string_view, 6> kBindingKinds = {"uniform", "storage", "texel_buffer",
                                                           "image",   "sampler", "combined"};
constexpr std::array<std::string_view, 5> kScopes = {"invocation", "subgroup", "workgroup", "queue_family", "device"};
constexpr std::array<std::string_view, 6> kOrders = {"none", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::array<std::string_view, kScanKinds> kScanKindNames = {"reduce", "inclusive", "exclusive", "cluster"};
constexpr BitName kInstFlags[] = {
    {"precise", kPrecise},
    {"relaxed_precision", kRelaxedPrecision},
    {"no_nan", kNoNaN},
    {"no_inf", kNoInf},
    {"no_signed_zeros", kNoSignedZeros},
    {"allow_reciprocal", kAllowReciprocal},
    {"allow_contraction", kAllowContraction},
    {"allow_reassociation", kAllowReassociation},
    {"allow_transformation", kAllowTransformation},
    {"no_signed_wrap", kNoSignedWrap},
    {"no_unsigned_wrap", kNoUnsignedWrap},
    {"fits_24", kFits24},
    {"non_uniform", kNonUniform},
};
constexpr BitName kAccessFlags[] = {
    {"volatile", kVolatile},    {"non_temporal", kNonTemporal},     {"read_only", kReadOnly},
    {"coherent", kCoherent},    {"make_available", kMakeAvailable}, {"make_visible", kMakeVisible},
    {"orders_all", kOrdersAll},
};
constexpr BitName kStorageBits[] = {{"buffer", kBufferBit}, {"shared", kSharedBit}, {"image", kImageBit}};

constexpr std::array<std::string_view, 6> kBindingTexts = {
    "a uniform buffer", "a storage buffer", "a texel buffer", "an image", "a sampler", "a combined image sampler"};

}  // namespace

std::string type_name(Type type) {
  std::string name(name_of(kScalars, type.scalar));
  if (type.components != 1) name += "x" + std::to_string(type.components);
  return name;
}

std::optional<Type> find_type(std::string_view word) {
  const size_t cross = word.find('x');
  const std::string_view scalar_word = word.substr(0, cross);
  const std::optional<Scalar> scalar = find_in<Scalar>(kScalars, scalar_word);
  if (!scalar || *scalar == Scalar::none) return std::nullopt;
  if (cross == std::string_view::npos) return Type{*scalar};
  uint64_t components = 0;
  if (!text::parse_integer(word.substr(cross + 1), components)) return std::nullopt;
  if (components < 2 || components > 16 || *scalar == Scalar::resource) return std::nullopt;
  return Type{*scalar}.vector(static_cast<unsigned>(components));
}

std::string_view stage_name(Stage stage) {
  return name_of(kStages, stage);
}
std::optional<Stage> find_stage(std::string_view word) {
  return find_in<Stage>(kStages, word);
}
std::string_view shader_stage_name(ShaderStage stage) {
  return name_of(kShaderStages, stage);
}
std::optional<ShaderStage> find_shader_stage(std::string_view word) {
  return find_in<ShaderStage>(kShaderStages, word);
}
std::string_view storage_name(StorageClass storage) {
  return name_of(kStorages, storage);
}
std::optional<StorageClass> find_storage(std::string_view word) {
  return find_in<StorageClass>(kStorages, word);
}
std::string_view binding_kind_name(BindingKind kind) {
  return name_of(kBindingKinds, kind);
}
std::string_view binding_kind_text(BindingKind kind) {
  return name_of(kBindingTexts, kind);
}
std::optional<BindingKind> find_binding_kind(std::string_view word) {
  return find_in<BindingKind>(kBindingKinds, word);
}
std::string_view scope_name(Scope scope) {
  return name_of(kScopes, scope);
}
std::optional<Scope> find_scope(std::string_view word) {
  return find_in<Scope>(kScopes, word);
}
std::string_view scan_kind_name(ScanKind kind) {
  return name_of(kScanKindNames, kind);
}

std::optional<ScanKind> find_scan_kind(std::string_view word) {
  return find_in<ScanKind>(kScanKindNames, word);
}

std::string_view order_name(MemoryOrder order) {
  return name_of(kOrders, order);
}
std::optional<MemoryOrder> find_order(std::string_view word) {
  return find_in<MemoryOrder>(kOrders, word);
}

std::span<const BitName> inst_flag_names() {
  return kInstFlags;
}
std::span<const BitName> access_flag_names() {
  return kAccessFlags;
}
std::span<const BitName> storage_bit_names() {
  return kStorageBits;
}
uint32_t find_bit(std::span<const BitName> names, std::string_view word) {
  for (const BitName& entry : names) {
    if (entry.name == word) return entry.bit;
  }
  return 0;
}

bool describes_first(Op op) {
  return op == Op::resource || op == Op::sampler || op == Op::buffer_key || op == Op::input || op == Op::output ||
         op == Op::export_to || op == Op::scan || op == Op::scan_part;
}

bool has_access(Op op) {
  return is_memory(op) || op == Op::memory_barrier || op == Op::control_barrier;
}

unsigned memory_operand_count(Op op, StorageClass storage) {
  const unsigned address = has_base(storage) ? 2 : 1;
  if (op == Op::load) return address;
  return address + (op == Op::atomic_compare_exchange ? 2 : 1);
}

Type implied_operand_type(const OperandContext& context, unsigned index, Type first) {
  if (is_memory(context.op)) {
    const unsigned offset_index = has_base(context.storage) ? 1 : 0;
    if (index == offset_index) return kI32;
    if (index < offset_index) return has_address(context.storage) ? kI64 : kVoid;
    return context.result;  // the data of an atomic; none for a store
  }
  switch (context.op) {
    case Op::phi:
      return context.result;
    case Op::select:
      return index == 0 ? kBool : context.result;
    case Op::scan:
    case Op::scan_part:
      return index == 0 ? context.result : index == 1 ? kBool : kI32;
    case Op::vec:
      return context.result.element();
    case Op::pack64:
    case Op::allocate_exports:
    case Op::resource:
    case Op::sampler:
    case Op::buffer_key:
    case Op::buffer_of:
    case Op::parameter:
    case Op::load_parameter:
    case Op::unpack_half_lo:
    case Op::unpack_half_hi:
      return kI32;
    case Op::pack_half:
    case Op::interpolate_quad:
      return kF32;
    case Op::interpolate:
      return index == 0 ? kI32 : kF32;
    case Op::bfe_u:
    case Op::bfe_s:
      return index == 0 ? context.result : kI32;
    case Op::bfi:
      return index < 2 ? context.result : kI32;
    case Op::fldexp:
      return index == 0 ? context.result : kI32;
    case Op::branch_if:
    case Op::demote:
      return kBool;
    case Op::hand_over:
      return index == 0 ? kBool : kVoid;
    case Op::fetch:
      return index == 1 ? kI32 : kVoid;
    case Op::store_parameter:
      return index == 1 || index == 2 ? kI32 : kVoid;
    case Op::ret:
      return context.returned;
    default:
      break;
  }
  switch (info(context.op).result) {
    case ResultRule::same:
      return context.result;
    case ResultRule::boolean:
      return index == 0 ? kVoid : first;
    default:
      return kVoid;
  }
}

}  // namespace spalt::ir
