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
#include "spirv/records.h"

namespace spalt::spirv {

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
  Vector<uint32_t> calls{context.scratch};         ///< function ids, in order of occurrence per function
  Vector<uint32_t> pointer_uses{context.scratch};  ///< words of what classify_variables looks at
  Vector<Variable> variables{context.scratch};
  uint32_t global_count = 0;  ///< variables[0, global_count) belong to the module
  Vector<LeafRange> memory_ranges{context.scratch};
  uint32_t functions_word = 0;
  uint32_t entry_function_id = 0;
  uint32_t entry_word = 0;                       ///< OpEntryPoint
  uint32_t entry_interface = 0;                  ///< word of the first variable that it lists
  bool ends_invocations = false;                 ///< a function of the module kills
  uint32_t zeroed_block_bytes = 0;               ///< largest block in workgroup memory that starts as zero
  bool has_addresses = false;                    ///< buffers may be reached by addresses that are not theirs
  bool has_variable_pointers = false;            ///< pointers into storage buffers and workgroup memory are values
  bool has_untyped_pointers = false;             ///< memory may be accessed as other types than it is declared with
  uint32_t untyped_memory = kNone;               ///< the type that untyped pointers point to: nothing has a value of it
  uint8_t pointer_access = 0;                    ///< ir::AccessFlag of what any such pointer may lead to
  bool has_invariant = false;                    ///< something is decorated Invariant
  bool has_bytes = false;                        ///< integers of 8 bits are types, whatever `options.widths` says
  bool has_small_floats = false;                 ///< types of other encodings than those of IEEE 754
  bool names_half_rounding = false;              ///< an execution mode says how floats of 16 bits are rounded
  uint32_t workgroup_size_id = 0;                ///< constant decorated WorkgroupSize
  Vector<uint8_t> specialized{context.scratch};  ///< by entry of the specialization: the module has such a constant

  // What is being built ----------------------------------------------------------------------------------------------
  ir::Module module;
  ir::Builder b;
  Ssa ssa;
  Vector<ir::Binding> bindings{context.scratch};    ///< in order of their first use
  Vector<uint8_t> binding_access{context.scratch};  ///< by binding: ir::AccessFlag, as the variable is decorated
  Vector<ir::Value> leaves{context.scratch};
  Vector<Pointer> pointers{context.scratch};
  Vector<TexelPlace> texels{context.scratch};
  uint64_t leaf_work = 0;

  /// The value with denormals flushed where the module demands that: for results that came from moving bits only.
  ir::Value flushed(ir::Value value) {
    const ir::Type type = function().type(value);
    return module.float_controls().of(type).flush ? b.fmul(value, b.number(type, 1.0)) : value;
  }

  // Translation of function bodies -----------------------------------------------------------------------------------
  Vector<uint32_t> reachable{context.scratch};  ///< functions, callees before callers
  Vector<Frame> frames{context.scratch};
  uint32_t block = kNone;                        ///< being translated
  Vector<uint32_t> source{context.scratch};      ///< by IR block: the SPIR-V block that it ends
  Vector<uint32_t> open_loops{context.scratch};  ///< headers whose back edge has not come yet
  bool explicit_shared = false;                  ///< workgroup memory is laid out by decorations
  Vector<PendingPhi> pending_phis{context.scratch};
  Vector<uint32_t> phi_values{context.scratch};  ///< by SPIR-V block: value id of the phi being read, scratch space
  Vector<Leaves> returned{context.scratch};
  Vector<Leaves> incoming{context.scratch};  ///< of the phi being read, scratch space
  uint32_t scratch_top = 0;
  Vector<InterfaceLeaf> interface_leaves{context.scratch};
  Vector<uint32_t> inputs{context.scratch}, outputs{context.scratch};  ///< stage variables (io/io.h)
  Vector<ir::Value> built_in_values{context.scratch};
  Vector<ir::Value> resources{context.scratch};  ///< every `resource`, `sampler` and `buffer_key` instruction
  Vector<ir::Value> keyed{context.scratch};      ///< every `buffer_of` instruction
  struct BufferElement {
    uint32_t element = kNone;
    ir::Value resource, sampler;
    ir::Value key;  ///< of the buffer, once somebody asked
  };
  /// By binding: the last constant element, made in the entry block.
  Vector<BufferElement> constant_resources{context.scratch};
  Vector<uint32_t> offsets{context.scratch};  ///< scratch space of memory accesses
  Vector<LayoutPart> layout_parts{context.scratch};
  Vector<ir::Value> scratch_values{context.scratch};
  ir::BlockId entry_block;
  uint32_t printf_binding = kNone;                 ///< once something is printed
  Vector<uint32_t> printf_words{context.scratch};  ///< the instructions of the module that print

  ir::Function& function() { return b.function(); }

  // Ids (ids.cpp) ----------------------------------------------------------------------------------------------------
  /// Makes `id` known; false if it is out of range or defined already.
  bool define(uint32_t id, IdKind kind, uint32_t type = kNone, uint32_t index = kNone) {
    if (!in_bound(id)) return false;
    IdInfo& info = ids[id];
    if (info.kind != IdKind::none) return fail_defined(id);
    info.kind = kind;
    info.type = type;
    info.index = index;
    info.word = current.offset;
    return decorations.empty(id) || decorate(id);
  }
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
  /// A variable, or a result that is defined before the current instruction on every path.
  bool is_defined(uint32_t id);
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
  Leaves new_leaves(uint32_t type) {
    const Leaves result{type, leaves.size(), types[type].leaves};
    leaf_work += result.count;
    if (result.count == 1) {
      leaves.push_back(ir::Value());
    } else {
      leaves.resize(size_t{leaves.size()} + result.count);
    }
    return result;
  }
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
  [[gnu::cold]] bool fail_defined(uint32_t id);
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
bool mark_invariant(Reader& r);
bool analyze_control_flow(Reader& r);
bool assign_interface(Reader& r);
bool classify_variables(Reader& r);
bool translate_entry(Reader& r);
bool finish_module(Reader& r);

}  // namespace spalt::spirv
