// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "ir/function.h"
#include "ir/interface.h"
#include "spirv/module/types.h"

namespace spalt::spirv {

// What the reader knows of one id, variable, block or function: the rows of its tables.

/// What an id of the module names.
enum class IdKind : uint8_t {
  none,
  string,
  ext_set,
  decoration_group,
  type,
  constant,
  global,
  function,
  label,
  value  ///< result or parameter inside a function
};

/// Bits of IdInfo::flags, from decorations of the id but the last one. The first two are those of ir::InstFlag.
enum IdFlag : uint16_t {
  kIdNoContraction = 1,
  kIdRelaxedPrecision = 2,
  kIdNonUniform = 4,
  kIdCoherent = 8,
  kIdVolatile = 16,
  kIdNonWritable = 32,
  kIdAliased = 64,
  kIdChain = 128,    ///< a pointer that is a value, and of which more is known: `binding` is the index of its pointer
  kIdFastMath = 256  ///< decorated FPFastMathMode
};
constexpr uint16_t kInstructionFlags = kIdNoContraction | kIdRelaxedPrecision;
static_assert(kInstructionFlags == (ir::kPrecise | ir::kRelaxedPrecision));
static_assert(uint32_t{kIdNoContraction} == ir::kPrecise);

struct IdInfo {
  IdKind kind = IdKind::none;
  uint16_t flags = 0;        ///< IdFlag
  uint32_t type = kNone;     ///< type of the value; for types the type itself
  uint32_t index = kNone;    ///< global, function, block or variable, by kind; values: the defining block
  uint32_t owner = kNone;    ///< values and labels: the function
  uint32_t word = 0;         ///< where it is defined
  uint32_t binding = kNone;  ///< constants, values and globals: first leaf, or index of the pointer once there is one
};

/// A value in scalars: leaves [first, first + count) of the leaf arena.
struct Leaves {
  uint32_t type = kNone;
  uint32_t first = 0;
  uint32_t count = 0;
};

enum class PointerRoot : uint8_t {
  local,    ///< function or private variable; offset counts leaves
  input,    ///< built-in; offset counts leaves
  scratch,  ///< inside a dynamically indexed part of a local variable; offset counts bytes from here on
  shared,
  push,
  uniform,
  storage,
  physical,  ///< an address in `resource`
  handle,    ///< images and samplers; loading one gives a value that names it
  texel      ///< of an image; only atomic operations take such a pointer
};

/// One dynamic index into a part of a variable that is in SSA form: resolved by selecting among the candidates.
struct SelectIndex {
  ir::Value index;
  uint32_t count = 0;
  uint32_t stride = 0;  ///< leaves
};

struct Pointer {
  static constexpr uint32_t kMaxSelects = 4;
  uint32_t type = kNone;  ///< pointee
  PointerRoot root = PointerRoot::local;
  bool is_explicit = false;     ///< laid out by decorations, else dense
  bool whole_resource = false;  ///< still names a descriptor array, no element chosen
  bool row_major = false;
  uint8_t align_log2 = 2;  ///< of base and dynamic part
  uint8_t access = 0;      ///< ir::AccessFlag
  uint8_t select_count = 0;
  uint32_t variable = kNone;  ///< index of the variable
  uint32_t offset = 0;
  uint32_t matrix_stride = 0;     ///< of the matrix that is pointed to; 0: dense
  uint32_t component_stride = 0;  ///< of the vector that is pointed to; 0: dense
  uint32_t element = 0;           ///< constant part of the descriptor index
  ir::Value element_dynamic;      ///< the rest of it
  ir::Value resource;
  ir::Value sampler;
  ir::Value key;             ///< of variable pointers: which buffer, once somebody asked
  uint32_t address = kNone;  ///< of pointers that are values: the first leaf; kNone: no value can say all of it
  uint32_t texel = kNone;    ///< in Reader::texels
  ir::Value dynamic;         ///< i32 bytes added to offset
  SelectIndex selects[kMaxSelects];
};

/// An image operand, with its sampler if the type has one.
struct ImageHandle {
  ir::Value image;
  ir::Value sampler;
  uint32_t type = kNone;   ///< OpTypeImage
  uint8_t access = 0;      ///< ir::AccessFlag, from decorations of the variable
  bool undefined = false;  ///< an access does nothing and gives anything
};

/// A pointer to a texel names its image and address here: Reader::texels[Pointer::texel].
struct TexelPlace {
  ImageHandle image;
  ir::Value coordinates[4];
  uint32_t coordinate_count = 0;
};

/// A leaf range of a variable that lives in scratch memory.
struct LeafRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t bytes = 0;  ///< where it starts in the variable's scratch memory; leaves follow in the dense layout
};

struct Variable {
  uint32_t id = 0;
  uint32_t type = kNone;  ///< pointee
  uint32_t storage_class = 0;
  uint32_t initializer = 0;  ///< id, 0: none
  uint32_t word = 0;
  // Function and private variables
  uint32_t first_slot = kNone;  ///< of Ssa, for leaf 0; leaves in memory have slots that nobody uses
  uint32_t ranges = 0;          ///< first of its LeafRanges in Reader::memory_ranges
  uint32_t range_count = 0;
  uint32_t memory_bytes = 0;
  uint32_t memory_begin = 0;  ///< byte offset in scratch or shared memory
  uint32_t only_stored = 0;   ///< id of the one constant that is ever stored to it
  bool other_stores = false;
  bool untyped = false;         ///< pointers to it are untyped
  bool constant_table = false;  ///< filled once at the start of the shader, its stores are dropped
  // Interface variables
  uint32_t binding = kNone;  ///< index into Reader::bindings once used
  uint32_t built_in = kNone;
  uint32_t set = kNone;                   ///< of the descriptor
  uint32_t slot = kNone;                  ///< its binding number in the set
  bool aliased = false;                   ///< another variable has the same set and binding
  bool addressed = false;                 ///< physical pointers may lead into it
  bool shares_storage = false;            ///< one of these is a storage buffer
  uint32_t first_interface_leaf = kNone;  ///< in Reader::interface_leaves: where each leaf comes from or goes to

  bool may_be_shared() const { return aliased || addressed; }
};

/// What a scalar of an input or output is to the stages around.
struct InterfaceLeaf {
  ir::InterfaceAccess access;
};

struct Block {
  uint32_t label = 0;
  uint32_t first_word = 0;  ///< after OpLabel
  uint32_t terminator = 0;
  uint32_t merge_word = 0;  ///< OpSelectionMerge or OpLoopMerge, 0: none
  uint32_t merge = kNone;
  uint32_t continue_target = kNone;
  uint32_t order = kNone;  ///< position in the function's structured order; kNone: unreachable
  uint32_t dominator = kNone;
  uint32_t dominance_begin = 0;  ///< the dominance tree in preorder: descendants are [begin, end)
  uint32_t dominance_end = 0;
  uint32_t first_pointer_use = 0;  ///< in Reader::pointer_uses
  uint32_t end_pointer_use = 0;
  bool has_call = false;
  bool has_back_edge = false;
  bool is_entry = false;
  bool is_loop() const { return continue_target != kNone && has_back_edge; }
  // While one call of the function is being translated
  ir::BlockId ir_begin;
  ir::BlockId ir_end;
};

struct FunctionInfo {
  uint32_t id = 0;
  uint32_t word = 0;
  uint32_t type = kNone;         ///< function type
  uint32_t first_parameter = 0;  ///< in Reader::parameters
  uint32_t parameter_count = 0;
  uint32_t first_block = 0;
  uint32_t block_count = 0;
  uint32_t first_variable = 0;  ///< in Reader::variables
  uint32_t variable_count = 0;
  uint32_t first_call = 0;  ///< in Reader::calls
  uint32_t call_count = 0;
  uint32_t first_order = 0;  ///< in Reader::order
  uint32_t order_count = 0;
  uint32_t return_count = 0;
  bool returns_last = false;  ///< the only return ends the last block of the order
};

/// A pointer parameter that its function, or what that calls, indexes dynamically.
struct Parameter {
  uint32_t id = 0;
  uint32_t type = kNone;
  LeafRange dynamic;  ///< relative to the pointee
};

/// One function being inlined.
struct Frame {
  uint32_t function = kNone;
  uint32_t position = 0;  ///< in the order; the next block to begin
  uint32_t block = kNone;
  uint32_t word = 0;    ///< next instruction; 0: between blocks
  uint32_t result = 0;  ///< id that the caller gives to the result
  uint32_t scratch_mark = 0;
  uint32_t first_open_loop = 0;
  uint32_t first_return = 0;  ///< in Reader::returned
  ir::BlockId call_block;
  ir::BlockId return_block;
  Leaves direct_result;
};

/// A part of an explicitly laid out object, whose leaves are being listed.
struct LayoutPart {
  uint32_t type = kNone;
  uint32_t offset = 0;
  uint32_t next = 0;  ///< element or member to go into
  uint32_t matrix_stride = 0;
  bool row_major = false;
};

struct PendingPhi {
  uint32_t word = 0;
  Leaves phis;
  uint32_t block = kNone;
};

}  // namespace spalt::spirv
