// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "base/vector.h"
#include "ir/type.h"

namespace spalt::spirv {

constexpr uint32_t kNone = 0xffffffffu;

enum class TypeKind : uint8_t {
  void_type,
  boolean,
  integer,
  floating,
  vector,
  matrix,
  array,
  runtime_array,
  structure,
  pointer,
  function,
  image,
  sampler,
  sampled_image,
  opaque  ///< declared but not supported; an error only where it is used
};

/// How the bits of a float mean a number. The IR has floats of IEEE 754 alone, of others their bits as integers.
enum class FloatEncoding : uint8_t { ieee, bfloat16, e4m3, e5m2 };

/// Bytes of a leaf in memory. Booleans have no bits in SPIR-V; where the reader lays memory out itself they are 0 or 1
/// in 32 bits.
constexpr uint32_t leaf_bytes(ir::Scalar scalar) {
  return scalar == ir::Scalar::i1 ? 4 : ir::Type{scalar}.bytes();
}

/// A set of scalar types: what operands and results of an instruction may be made of.
class ScalarSet {
 public:
  constexpr ScalarSet(ir::Scalar scalar) : bits_(static_cast<uint16_t>(1u << static_cast<unsigned>(scalar))) {}
  constexpr ScalarSet operator|(ScalarSet other) const { return ScalarSet(static_cast<uint16_t>(bits_ | other.bits_)); }
  constexpr bool operator==(const ScalarSet&) const = default;
  constexpr bool contains(ir::Scalar scalar) const { return (*this | scalar) == *this; }

 private:
  explicit constexpr ScalarSet(uint16_t bits) : bits_(bits) {}
  uint16_t bits_;
};
constexpr ScalarSet kAnyInteger = ScalarSet(ir::Scalar::i8) | ir::Scalar::i16 | ir::Scalar::i32 | ir::Scalar::i64;
constexpr ScalarSet kAnyFloat = ScalarSet(ir::Scalar::f16) | ir::Scalar::f32 | ir::Scalar::f64;
/// What transcendental functions and interpolation know.
constexpr ScalarSet kShortFloat = ScalarSet(ir::Scalar::f16) | ir::Scalar::f32;
constexpr ScalarSet kAnyNumber = kAnyInteger | kAnyFloat;
constexpr ScalarSet kAnyScalar = kAnyNumber | ir::Scalar::i1;

/// What decorations say about a struct member.
struct Member {
  uint32_t type = kNone;
  uint32_t leaf = 0;          ///< index of its first scalar within the struct
  uint32_t dense_offset = 0;  ///< bytes before it where the reader chooses the layout
  uint32_t offset = kNone;
  uint32_t matrix_stride = 0;
  uint32_t built_in = kNone;
  bool has_major = false;  ///< decorated RowMajor or ColMajor
  bool row_major = false;
  bool non_writable = false;
  bool coherent = false;
  bool is_volatile = false;
};

/// What OpTypeImage says beside the sampled type, in the numbers of SPIR-V.
struct ImageInfo {
  uint8_t dim = 0;
  bool arrayed = false;
  bool multisampled = false;
  uint8_t sampled = 0;  ///< 1: can be sampled, 2: can be stored to, 0: known at run time only
  uint8_t format = 0;
  bool operator==(const ImageInfo&) const = default;
};

/// A SPIR-V type. A value of it is held as `leaves` scalars in order of declaration.
struct TypeInfo {
  TypeKind kind = TypeKind::void_type;
  ir::Scalar scalar = ir::Scalar::none;          ///< of every leaf when they agree, else none
  FloatEncoding encoding = FloatEncoding::ieee;  ///< of floats and their vectors: `scalar` is an integer for others
  uint8_t depth = 1;
  bool block = false;
  bool buffer_block = false;
  bool untyped = false;  ///< a pointer that says nothing of what it points to; `element` is Reader::untyped_memory
  bool empty = false;    ///< a struct without members, or an array or struct of such: a value without leaves
  uint32_t id = 0;
  uint32_t element = kNone;  ///< component, column, array element, pointee (none yet after OpTypeForwardPointer),
                             ///< return type, sampled type or image
  uint32_t count = 0;        ///< components, columns, elements, members or parameters
  uint32_t first = 0;        ///< of members or parameters in their pool
  uint32_t leaves = 0;       ///< saturates at kNone; 0 for void, runtime arrays and what has no value
  uint32_t stride = 0;       ///< ArrayStride, of pointers that are values too; opaque types: the opcode
  uint32_t storage_class = 0;
  uint32_t bytes = 0;  ///< structs: end of the last member by its decorations, saturating
  // The dense layout, which scratch and workgroup memory have without decorations: every scalar at a multiple of its
  // size, structs padded to their alignment.
  uint32_t dense_bytes = 0;  ///< saturating, a multiple of the alignment
  uint8_t dense_align = 1;   ///< bytes: of the largest scalar
  ImageInfo image;           ///< images only

  bool is_scalar() const { return kind >= TypeKind::boolean && kind <= TypeKind::floating; }
  bool is_scalar_or_vector() const { return kind >= TypeKind::boolean && kind <= TypeKind::vector; }
  /// Something an object of which can be taken apart into scalars.
  bool is_value() const {
    return (kind >= TypeKind::boolean && kind <= TypeKind::structure && (leaves != 0 || empty)) || is_handle() ||
           is_pointer_value();
  }
  /// A pointer that is a value like others, not only a name for a place that is known while reading.
  bool is_pointer_value() const { return kind == TypeKind::pointer && leaves != 0; }
  /// A pointer that is a number, the address of what it points to: one leaf like an integer of 64 bits.
  bool is_physical() const { return kind == TypeKind::pointer && leaves == 1; }
  /// A pointer into a storage buffer or workgroup memory that is a value: two leaves, a key and an offset
  /// (memory/variable_pointer.cpp).
  bool is_variable_pointer() const { return kind == TypeKind::pointer && leaves == 2; }
  /// Images and samplers: values that are in no composite and in no memory.
  bool is_handle() const { return kind >= TypeKind::image && kind <= TypeKind::sampled_image; }
  uint32_t components() const { return kind == TypeKind::vector ? count : 1; }
};

/// All types of a module, addressed by a dense index.
class TypeTable {
 public:
  explicit TypeTable(Arena& arena) : types_(arena), members_(arena), parameters_(arena) {}

  /// Adds a type whose element and members are there already, and measures its dense layout.
  uint32_t add(const TypeInfo& type);
  TypeInfo& operator[](uint32_t index) { return types_[index]; }
  const TypeInfo& operator[](uint32_t index) const { return types_[index]; }
  void reserve(uint32_t types) {
    types_.reserve(types);
    members_.reserve(types);
  }
  uint32_t size() const { return static_cast<uint32_t>(types_.size()); }

  const Member& member(const TypeInfo& type, uint32_t index) const { return members_[type.first + index]; }
  uint32_t parameter(const TypeInfo& type, uint32_t index) const { return parameters_[type.first + index]; }

  Vector<Member>& members() { return members_; }
  Vector<uint32_t>& parameters() { return parameters_; }

  /// Type of the leaf `index` of `type`. O(depth), O(1) where all leaves are alike; so is leaf_offset.
  ir::Type leaf_type(uint32_t type, uint32_t index) const {
    const ir::Scalar scalar = types_[type].scalar;
    return scalar != ir::Scalar::none ? ir::Type{scalar} : find_leaf_type(type, index);
  }
  /// Bytes before the leaf `index` of `type` in the dense layout.
  uint32_t leaf_offset(uint32_t type, uint32_t index) const {
    const ir::Scalar scalar = types_[type].scalar;
    return scalar != ir::Scalar::none ? index * leaf_bytes(scalar) : find_leaf_offset(type, index);
  }
  /// The member of a struct that holds its leaf `index`.
  uint32_t member_of_leaf(const TypeInfo& type, uint32_t index) const;
  /// True when both have the same structure, whatever their decorations (OpCopyLogical).
  bool logically_match(uint32_t a, uint32_t b, Arena& scratch) const;

 private:
  void measure(TypeInfo& type);
  ir::Type find_leaf_type(uint32_t type, uint32_t index) const;
  uint32_t find_leaf_offset(uint32_t type, uint32_t index) const;

  Vector<TypeInfo> types_;
  Vector<Member> members_;
  Vector<uint32_t> parameters_;
};

}  // namespace spalt::spirv
