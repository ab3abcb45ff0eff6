// SPDX-License-Identifier: MIT
// Words of the text form that printer, parser and diagnostics share.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "ir/export.h"
#include "ir/function.h"
#include "ir/interface.h"
#include "ir/module.h"
#include "ir/scan.h"

namespace spalt::ir {

/// "i32", "f32x4", "resource"; "void" for no type.
std::string type_name(Type type);
/// The inverse; none for an unknown word and for "void".
std::optional<Type> find_type(std::string_view word);

std::string_view stage_name(Stage stage);
std::optional<Stage> find_stage(std::string_view word);
std::string_view shader_stage_name(ShaderStage stage);
std::optional<ShaderStage> find_shader_stage(std::string_view word);
std::string_view storage_name(StorageClass storage);
std::optional<StorageClass> find_storage(std::string_view word);
std::string_view binding_kind_name(BindingKind kind);
/// "a storage buffer", "an image".
std::string_view binding_kind_text(BindingKind kind);
std::optional<BindingKind> find_binding_kind(std::string_view word);
std::string_view scope_name(Scope scope);
std::optional<Scope> find_scope(std::string_view word);
std::string_view order_name(MemoryOrder order);
std::optional<MemoryOrder> find_order(std::string_view word);

/// A set of one-bit facts with their words, in print order.
struct BitName {
  std::string_view name;
  uint32_t bit;
};
std::span<const BitName> inst_flag_names();
std::span<const BitName> access_flag_names();
std::span<const BitName> storage_bit_names();
/// The bit with this name, or 0.
uint32_t find_bit(std::span<const BitName> names, std::string_view word);

/// "global_invocation_id.x", "subgroup_size"; empty if the immediate names no built-in.
std::string builtin_name(uint64_t imm);
/// The immediate of a built-in, as builtin_imm makes it.
std::optional<uint64_t> find_builtin(std::string_view word);

/// True where the text has the immediate before the operands: resource 0, 1.
bool describes_first(Op op);
/// True for the operations whose immediate is a MemoryAccess, barriers included.
bool has_access(Op op);
/// Operands a load, store or atomic takes on a storage class.
unsigned memory_operand_count(Op op, StorageClass storage);

/// "2d", "cube_array", "2d_ms_array": dimension and traits of an image, but kSparse.
std::string image_shape_name(const ImageAccess& access);
/// Sets dimension and traits; false for an unknown word.
bool find_image_shape(std::string_view word, ImageAccess& access);
std::span<const BitName> image_part_names();
/// Traits that are properties, not part of the kind of image.
std::span<const BitName> image_trait_names();
std::string_view scan_kind_name(ScanKind kind);
std::optional<ScanKind> find_scan_kind(std::string_view word);
std::string_view atomic_kind_name(AtomicKind kind);
std::optional<AtomicKind> find_atomic_kind(std::string_view word);
/// "x", "xyz": the components of a texel mask.
std::string texel_mask_name(unsigned mask);
/// The mask, or 0 for what is no list of components in order.
uint8_t find_texel_mask(std::string_view word);
/// What an operation's mask is unless the text says otherwise.
uint8_t default_texel_mask(Op op);

/// "location.2.x", "position.w", "clip_distance.1", "depth": which component of which value an `input` or `output` is
/// about.
std::string interface_name(const InterfaceAccess& access);
/// Sets semantic, number and component; false for anything else.
bool find_interface(std::string_view word, InterfaceAccess& access);
/// "color.0", "position.1", "parameter.31": where an export goes; a number where there is no such target.
std::string export_target_name(unsigned target);
/// Sets the target; false for anything else.
bool find_export_target(std::string_view word, uint8_t& target);
std::string_view interpolation_name(Interpolation interpolation);
std::optional<Interpolation> find_interpolation(std::string_view word);
std::string_view sample_place_name(SamplePlace place);
std::optional<SamplePlace> find_sample_place(std::string_view word);
std::string_view depth_bound_name(DepthBound bound);
std::optional<DepthBound> find_depth_bound(std::string_view word);

/// What is known about an instruction before its operands are read.
struct OperandContext {
  Op op = Op::undef;
  Type result;
  StorageClass storage = StorageClass::storage;
  Type returned;  ///< of the function
};
/// The type that the operation itself implies for an operand: a constant of this type is printed without its type.
/// `first` is the type of operand 0 where the reader of the text knows it already. None when nothing is implied.
Type implied_operand_type(const OperandContext& context, unsigned index, Type first);

}  // namespace spalt::ir
