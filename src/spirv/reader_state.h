// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/compile_context.h"
#include "base/vector.h"
#include "ir/builder.h"
#include "ir/module.h"
#include "spirv/flow/ssa.h"
#include "spirv/module/decorations.h"
#include "spirv/module/types.h"
#include "spirv/module/words.h"
#include "spirv/reader.h"

namespace spalt::spirv {

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

/// Bits of IdInfo::flags, from decorations of the id.
enum IdFlag : uint8_t { kIdNoContraction = 1, kIdRelaxedPrecision = 2, kIdNonUniform = 4 };

struct IdInfo {
  IdKind kind = IdKind::none;
  uint8_t flags = 0;
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
  storage
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
  ir::Value dynamic;  ///< i32 bytes added to offset
  SelectIndex selects[kMaxSelects];
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
  bool constant_table = false;  ///< filled once at the start of the shader, its stores are dropped
  // Interface variables
  uint32_t binding = kNone;  ///< index into Reader::bindings once used
  uint32_t built_in = kNone;
  bool aliased = false;         ///< another variable has the same set and binding
  bool shares_storage = false;  ///< one of these is a storage buffer
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

/// Everything that is known while one module is read. The files of this folder are its chapters: free functions over
/// this state, grouped by what part of SPIR-V they are about.
struct Reader {
  Reader(std::span<const uint32_t> module_words, const ReadOptions& read_options, CompileContext& memory);

  CompileContext& context;  ///< the tables below are in its scratch memory, in a scope of spirv::read

  // Diagnostics ------------------------------------------------------------------------------------------------------
  /// Record the first error, at the current instruction, and return false.
  [[gnu::cold]] bool fail(std::string message);
  [[gnu::cold]] bool fail(Status status, std::string message);
  [[gnu::cold]] bool fail_at(uint32_t word, std::string message);
  [[gnu::cold]] bool unsupported(const std::string& what);
  /// A value of a type of TypeKind::opaque.
  [[gnu::cold]] bool unsupported_type(const TypeInfo& type);
  bool check_limits() {
    const bool ok =
        function().value_capacity() <= options.limits.instructions && leaf_work + ssa.work() <= options.limits.work;
    return ok || fail_limits();
  }
  Error error;
  bool failed = false;
  Instruction current;
  uint32_t line_file = 0;  ///< id of the OpString
  uint32_t line = 0;

  // The module -------------------------------------------------------------------------------------------------------
  std::span<const uint32_t> words;
  const ReadOptions& options;
  uint32_t bound = 0;
  uint32_t version = 0;
  Vector<IdInfo> ids{context.scratch};
  TypeTable types{context.scratch};
  Decorations decorations{context.scratch};
  Vector<FunctionInfo> functions{context.scratch};
  Vector<Parameter> parameters{context.scratch};
  Vector<Block> blocks{context.scratch};
  Vector<uint32_t> order{context.scratch};
  Vector<uint32_t> calls{context.scratch};  ///< function ids, in order of occurrence per function
  Vector<Variable> variables{context.scratch};
  uint32_t global_count = 0;  ///< variables[0, global_count) belong to the module
  Vector<LeafRange> memory_ranges{context.scratch};
  uint32_t functions_word = 0;
  uint32_t entry_function_id = 0;
  uint32_t workgroup_size_id = 0;  ///< constant decorated WorkgroupSize

  // What is being built ----------------------------------------------------------------------------------------------
  ir::Module module;
  ir::Builder b;
  Ssa ssa;
  Vector<ir::Binding> bindings{context.scratch};  ///< in order of their first use
  Vector<ir::Value> leaves{context.scratch};
  Vector<Pointer> pointers{context.scratch};
  uint64_t leaf_work = 0;

  // Translation of function bodies -----------------------------------------------------------------------------------
  Vector<uint32_t> reachable{context.scratch};  ///< functions, callees before callers
  Vector<Frame> frames{context.scratch};
  uint32_t block = kNone;                        ///< being translated
  Vector<uint32_t> source{context.scratch};      ///< by IR block: the SPIR-V block that it ends
  Vector<uint32_t> open_loops{context.scratch};  ///< headers whose back edge has not come yet
  Vector<PendingPhi> pending_phis{context.scratch};
  Vector<uint32_t> phi_values{context.scratch};  ///< by SPIR-V block: value id of the phi being read, scratch space
  Vector<Leaves> returned{context.scratch};
  Vector<Leaves> incoming{context.scratch};  ///< of the phi being read, scratch space
  uint32_t scratch_top = 0;
  Vector<ir::Value> built_in_values{context.scratch};
  Vector<ir::Value> resources{context.scratch};  ///< every `resource` instruction
  struct BufferElement {
    uint32_t element = kNone;
    ir::Value resource;
  };
  /// By binding: the last constant element, made in the entry block.
  Vector<BufferElement> constant_resources{context.scratch};
  Vector<uint32_t> offsets{context.scratch};  ///< scratch space of memory accesses
  Vector<LayoutPart> layout_parts{context.scratch};
  Vector<ir::Value> scratch_values{context.scratch};
  ir::BlockId entry_block;

  ir::Function& function() { return b.function(); }

  // Ids (ids.cpp) ----------------------------------------------------------------------------------------------------
  /// Makes `id` known; false if it is out of range or defined already.
  bool define(uint32_t id, IdKind kind, uint32_t type = kNone, uint32_t index = kNone);
  /// Puts the decorations of a new id into its record; false if they contradict each other.
  bool decorate(uint32_t id);
  bool in_bound(uint32_t id) { return (id != 0 && id < bound) || fail_bound(id); }
  /// The index of the type that `id` names.
  bool type_of(uint32_t id, uint32_t& type) {
    if (id >= bound || ids[id].kind != IdKind::type) return fail_type(id);
    type = ids[id].index;
    return true;
  }
  /// The instruction has `minimum` words.
  bool has_words(const Instruction& in, uint32_t minimum) { return in.count >= minimum || fail_words(in, minimum); }
  /// The literal string at in[index], a view of the words; fails when it does not end.
  bool string_at(const Instruction& in, uint32_t index, std::string_view& text);

  // Values (values.cpp) ----------------------------------------------------------------------------------------------
  /// The value that `id` names, checked to be defined before the current instruction on every path.
  bool value(uint32_t id, Leaves& out);
  /// The same, for a value that flows along the edge from the end of `from`.
  bool value_at_end(uint32_t id, uint32_t from, Leaves& out);
  bool typed_value(uint32_t id, uint32_t type, Leaves& out);
  /// A scalar or vector of `count` components (0: any number) of one of the given scalar types.
  bool vector_value(uint32_t id, ScalarSet scalars, uint32_t count, Leaves& out);
  bool scalar_value(uint32_t id, ScalarSet scalars, ir::Value& out);
  /// An integer of any width, cut or sign extended to 32 bits: indices, and offsets and counts of bit fields.
  bool index_value(uint32_t id, ir::Value& out);
  /// An integer constant, cut or sign extended to 32 bits.
  bool constant_u32(uint32_t id, uint32_t& out);
  /// The same without an error when it is not one; `id` is in bounds.
  bool find_constant_u32(uint32_t id, uint32_t& out);
  /// The pointer that `id` names, null after a failure. It holds until another one is bound or a variable is used for
  /// the first time.
  const Pointer* pointer(uint32_t id);
  bool constant_leaves(uint32_t id, Leaves& out);

  ir::Value leaf(const Leaves& value, uint32_t index) const { return leaves[value.first + index]; }
  /// Room for the leaves of a new value, all invalid until set.
  Leaves new_leaves(uint32_t type);
  void set_leaf(const Leaves& value, uint32_t index, ir::Value leaf) { leaves[value.first + index] = leaf; }
  bool bind(uint32_t id, const Leaves& value) {
    ids[id].binding = value.first;
    return true;
  }
  bool bind(uint32_t id, const Pointer& value) {
    ids[id].binding = static_cast<uint32_t>(pointers.size());
    pointers.push_back(value);
    return true;
  }
  /// The result type of an instruction with in[1] result type, in[2] result.
  bool result_type(const Instruction& in, uint32_t& type) { return type_of(in[1], type); }
  /// The same, which must be something with leaves.
  bool result_value_type(const Instruction& in, uint32_t& type);
  /// The same, which must be a scalar or vector of one of `scalars`.
  bool result_vector_type(const Instruction& in, ScalarSet scalars, uint32_t& type);
  ir::Scalar scalar_of(const Leaves& value) const { return types[value.type].scalar; }
  bool dominates(uint32_t above, uint32_t below) const {
    return blocks[below].dominance_begin >= blocks[above].dominance_begin &&
           blocks[below].dominance_begin < blocks[above].dominance_end;
  }

  /// The instruction at `word`, where decode has found one before.
  Instruction instruction_at(uint32_t word) const {
    const uint32_t first = words[word];
    return {words.data() + word, first & 0xffffu, first >> 16, word};
  }

 private:
  [[gnu::cold]] bool fail_bound(uint32_t id);
  [[gnu::cold]] bool fail_type(uint32_t id);
  [[gnu::cold]] bool fail_words(const Instruction& in, uint32_t minimum);
  [[gnu::cold]] bool fail_limits();
  bool value_at(uint32_t id, uint32_t at, uint32_t use_word, Leaves& out);
};

[[gnu::cold]] bool fail_decode(Reader& r, uint32_t word);

/// Reads the instruction at `word`; false when it runs past the end.
inline bool decode(Reader& r, uint32_t word, Instruction& out) {
  const uint32_t count = r.words[word] >> 16;
  if (count == 0 || count > r.words.size() - word) return fail_decode(r, word);
  out = r.instruction_at(word);
  return true;
}

// The chapters, in the order in which they run
bool read_header(Reader& r);
bool read_preamble(Reader& r);
bool scan_functions(Reader& r);
bool order_calls(Reader& r);
bool analyze_control_flow(Reader& r, uint32_t function);
bool classify_variables(Reader& r);
bool translate_entry(Reader& r);
bool finish_module(Reader& r);

}  // namespace spalt::spirv
