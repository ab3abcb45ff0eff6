// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

// Pointers (pointer.cpp, interface.cpp)

/// The pointer of an access to a value of `type`: an untyped one leads to whatever is accessed. `typed` holds it then.
const Pointer& access_pointer(const Reader& r, const Pointer& pointer, uint32_t type, Pointer& typed);
/// Adds the binding of a variable of buffers, images or samplers. Without an array the pointer leads to its descriptor.
bool add_binding(Reader& r, Variable& variable, ir::BindingKind kind, bool read_only, Pointer& pointer);
/// Makes the pointer to a module-scope variable when it is used for the first time, with its binding or memory.
bool bind_global(Reader& r, uint32_t id);
/// Goes one index of an access chain down. `non_uniform` concerns the element of a descriptor array.
bool step_pointer(Reader& r, Pointer& pointer, uint32_t index_id, bool non_uniform);
/// Makes the builder insert at the start of the entry block; the caller sets the old place again.
void move_to_entry(Reader& r);
/// The instructions for an element of a binding that is known, in the entry block.
Reader::BufferElement& constant_resource(Reader& r, uint32_t binding, uint32_t element);
/// Creates `resource` and `sampler` once the descriptor is known.
void choose_resource(Reader& r, Pointer& pointer, bool non_uniform);
/// The built-in's component as a value, made once in the entry block.
ir::Value built_in_value(Reader& r, ir::BuiltIn built_in, unsigned component);
/// A component of an input variable, for which find_built_in has been asked.
ir::Value input_value(Reader& r, const Variable& variable, unsigned component);
/// Maps an Input variable to its built-in, checking the type.
bool find_built_in(Reader& r, const Variable& variable, ir::BuiltIn& out);
/// Marks variables that share a set and binding with another one.
void find_aliased_bindings(Reader& r);
/// Makes Module::bindings: sorted, one for each place. Renumbers `resource` instructions.
bool finish_bindings(Reader& r);

// Addresses (physical_pointer.cpp)

/// The pointer that an id of a type of physical pointers is.
const Pointer* physical_pointer(Reader& r, uint32_t id);
/// Goes one index down: elements lie `stride` bytes apart.
bool step_address(Reader& r, Pointer& pointer, uint32_t index_id, uint32_t stride);
/// Adds constant bytes.
void move_address(Reader& r, Pointer& pointer, int64_t bytes);
/// The whole address, into Pointer::address.
void make_address(Reader& r, Pointer& pointer);
bool translate_convert_pointer(Reader& r, const Instruction& in);

// Variable pointers (variable_pointer.cpp)

/// Collects what concerns all of them.
void note_variable_pointers(Reader& r);
/// The pointer that an id of a type of variable pointers is.
const Pointer* variable_pointer(Reader& r, uint32_t id);
/// Key and offset, into Pointer::address, which stays kNone where no value can say what the pointer is.
void make_pointer_value(Reader& r, Pointer& pointer);
/// The leaves of a pointer to a module-scope variable.
bool global_pointer_value(Reader& r, uint32_t id, Leaves& out);
/// Moves by elements that are `stride` bytes apart, forward or back.
bool step_variable(Reader& r, Pointer& pointer, uint32_t index_id, uint32_t stride);
/// Decides which buffers each pointer may lead to, when the function is complete.
bool finish_pointers(Reader& r);

// Pointers that are values, of both kinds (pointer_value.cpp)

/// Binds the result of an instruction to a pointer of which more is known than its value.
void bind_chain(Reader& r, uint32_t id, Pointer& pointer);
/// The distance of elements that a pointer of this type goes over.
bool element_stride(Reader& r, uint32_t pointer_type, uint32_t& stride);
/// Where nothing says how a matrix that is pointed to lies in memory, it lies as all of its type do.
bool known_matrix_layout(Reader& r, Pointer& pointer);
/// Whether the id is a pointer of which more is known than its value; no error where it is none.
bool is_known_pointer(const Reader& r, uint32_t id);
bool translate_pointer_comparison(Reader& r, const Instruction& in);
bool translate_pointer_difference(Reader& r, const Instruction& in);

// Accesses (memory.cpp, local_memory.cpp)

/// The scope that the constant `id` stands for.
bool read_scope(Reader& r, uint32_t id, ir::Scope& scope);
/// Volatile, coherence, availability and alignment as memory operands say; added to what the pointer says.
struct AccessExtra {
  uint8_t flags = 0;
  ir::Scope scope = ir::Scope::invocation;
  uint8_t align_log2 = 0;  ///< of what addresses point to
};
/// Reads the memory operands of a copy at in[index]: one set for both pointers, or one for each.
bool read_copy_operands(Reader& r, const Instruction& in, uint32_t index, AccessExtra& target, AccessExtra& source);
/// Reads memory operands at in[index], if there are any; `index` moves past them.
bool read_memory_operands(Reader& r, const Instruction& in, uint32_t& index, AccessExtra& extra);
/// The target may be stored to.
bool is_writable(Reader& r, const Pointer& pointer);
bool load(Reader& r, const Pointer& pointer, const Leaves& out, const AccessExtra& extra);
bool store(Reader& r, const Pointer& pointer, const Leaves& value, const AccessExtra& extra);
/// The immediate of an access to `pointer`, `bytes` past it.
ir::MemoryAccess make_access(const Pointer& pointer, uint32_t bytes, const AccessExtra& extra);
/// The operands of a memory operation: [base] offset, and at most two of data. A texel has neither base nor offset.
class MemoryOperands {
 public:
  /// Base and offset of what the pointer leads to.
  MemoryOperands(Reader& r, const Pointer& pointer);
  void push_back(ir::Value value) { values_[count_++] = value; }
  operator std::span<const ir::Value>() const { return {values_, count_}; }

 private:
  ir::Value values_[4];
  uint32_t count_ = 0;
};

/// Puts the bytes of each leaf in the dense layout of `type` into Reader::offsets.
void dense_offsets(Reader& r, uint32_t type);
/// Loads and stores of scratch, shared and buffer memory; the bytes of each leaf are in Reader::offsets.
void load_leaves(Reader& r, const Pointer& pointer, const Leaves& out, const AccessExtra& extra);
void store_leaves(Reader& r, const Pointer& pointer, const Leaves& value, const AccessExtra& extra);

/// Gives a scalar for each leaf of an object.
struct LeafSource {
  virtual ir::Value read(uint32_t leaf) const = 0;

 protected:
  ~LeafSource() = default;
};
/// The leaves that the pointer leads to, where dynamic indices choose among few: those of all candidates are read.
bool load_selected(Reader& r, const Pointer& pointer, const Leaves& out, const LeafSource& source);

/// The same where a dynamic index is into memory: a copy of the variable is filled with all leaves that are there.
bool load_copied(Reader& r, const Pointer& pointer, const Leaves& out, const LeafSource& source);

/// Function and private variables.
bool load_local(Reader& r, const Pointer& pointer, const Leaves& out);
bool store_local(Reader& r, const Pointer& pointer, const Leaves& value);
/// The scratch memory of leaf `leaf` of the variable, or false when it is in SSA form.
bool scratch_offset(const Reader& r, const Variable& variable, uint32_t leaf, uint32_t& bytes);
/// The same for `count` leaves from `leaf` on that are neighbours in memory; false also when only a part of them is
/// there.
bool whole_in_scratch(const Reader& r, const Variable& variable, uint32_t leaf, uint32_t count, uint32_t& bytes);
/// Every leaf of the variable is in scratch memory.
bool all_in_memory(const Reader& r, const Variable& variable);
/// Begins the lifetime of a local variable: stores its initializer, or makes it undefined.
bool initialize_variable(Reader& r, const Variable& variable);
/// Gives the variable its place in scratch memory.
void allocate_scratch(Reader& r, Variable& variable);
/// Fills variables that hold one constant throughout, before the first block.
bool fill_constant_tables(Reader& r);

// Instructions
bool translate_load(Reader& r, const Instruction& in);
bool translate_store(Reader& r, const Instruction& in);
bool translate_copy_memory(Reader& r, const Instruction& in);
bool translate_copy_bytes(Reader& r, const Instruction& in);
bool translate_access_chain(Reader& r, const Instruction& in);
bool translate_untyped_access_chain(Reader& r, const Instruction& in);
bool translate_array_length(Reader& r, const Instruction& in);
bool translate_variable(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
