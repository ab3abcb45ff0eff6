// SPDX-License-Identifier: MIT
#include "module.h"

#include <utility>

#include "random/spirv_builder.h"

namespace spalt::litmus {
namespace {

using random_programs::FunctionBuilder;
using random_programs::Id;
using random_programs::ModuleBuilder;

/// Every second word of half a line of the shortest kind.
constexpr uint32_t kTouchedWords = 7;

class ModuleWriter {
 public:
  ModuleWriter(const Program& program, const Variant& variant, uint32_t wave_size)
      : program_(program), variant_(variant), wave_size_(wave_size), main_(module_, module_.type_void(), {}) {}

  std::vector<uint32_t> write();

 private:
  // The Vulkan memory model has no sequential consistency; for it the module is one of the older model, where
  // availability and visibility go without saying.
  bool vulkan() const { return !program_.is_sequentially_consistent(); }
  Id number(uint32_t value) { return module_.constant(u32_, value); }
  /// Of the type that variables have.
  Id cell(uint32_t value) { return variant_.is_wide ? module_.constant64(cell_, value) : number(value); }
  Id word_of(Id value) { return variant_.is_wide ? main_.value(spv::OpUConvert, u32_, {value}) : value; }
  void declare();
  void read_position();
  size_t phase_count() const;
  void write_phase(size_t phase);
  void write_operations(const std::vector<Operation>& operations, size_t phase);
  void write_operation(const Operation& op);
  template <class Body>
  void write_if(Id condition, Body body);
  void write_spin(const Operation& op);
  void write_touch(const Operation& op);
  void write_barrier();
  void write_results();
  Id place(unsigned variable, uint32_t word = 0);
  Id load(const Operation& op);
  void store(Id pointer, Id value);
  Id scope() { return number(scope_word(variant_.scope)); }
  Id semantics(Order order) { return number(semantics_word(order)); }
  uint32_t semantics_word(Order order) const;
  static uint32_t scope_word(Scope scope);

  const Program& program_;
  const Variant& variant_;
  uint32_t wave_size_;
  ModuleBuilder module_;
  FunctionBuilder main_;
  Id cell_ = 0;  ///< the type of variables
  Id u32_ = 0, memory_ = 0, results_ = 0, shared_ = 0, touched_ = 0;
  Id thread_id_ = 0, is_first_lane_ = 0;
  std::vector<std::pair<uint32_t, Id>> held_results_;
  uint32_t touches_ = 0;
};

uint32_t ModuleWriter::scope_word(Scope scope) {
  switch (scope) {
    case Scope::workgroup:
      return spv::ScopeWorkgroup;
    case Scope::queue_family:
      return spv::ScopeQueueFamily;
    case Scope::device:
      break;
  }
  return spv::ScopeDevice;
}

uint32_t ModuleWriter::semantics_word(Order order) const {
  uint32_t storage = spv::MemorySemanticsUniformMemoryMask;
  if (program_.uses_shared()) storage |= spv::MemorySemanticsWorkgroupMemoryMask;
  const uint32_t available = vulkan() ? uint32_t{spv::MemorySemanticsMakeAvailableMask} : 0;
  const uint32_t visible = vulkan() ? uint32_t{spv::MemorySemanticsMakeVisibleMask} : 0;
  switch (order) {
    case Order::plain:
    case Order::relaxed:
      return 0;
    case Order::acquire:
      return spv::MemorySemanticsAcquireMask | storage | visible;
    case Order::release:
      return spv::MemorySemanticsReleaseMask | storage | available;
    case Order::acq_rel:
      return spv::MemorySemanticsAcquireReleaseMask | storage | available | visible;
    case Order::seq_cst:
      break;
  }
  return spv::MemorySemanticsSequentiallyConsistentMask | storage;
}

void ModuleWriter::declare() {
  if (vulkan()) module_.use_vulkan_memory_model();
  module_.use_subgroups();
  u32_ = module_.type_int(false);
  cell_ = variant_.is_wide ? module_.type_int(false, 64) : u32_;
  for (uint32_t binding = 0; binding < 2; ++binding) {
    const Id array = module_.type_runtime_array(cell_, cell_bytes(variant_));
    const Id block = module_.type_block({array}, {0}, true);
    (binding == 0 ? memory_ : results_) = module_.buffer_variable(spv::StorageClassStorageBuffer, block, 0, binding);
  }
  if (program_.uses_shared()) {
    shared_ = module_.variable(spv::StorageClassWorkgroup, module_.type_array(cell_, kSharedVariables));
  }
  touched_ = main_.variable(u32_, number(0));
}

/// Which thread this is: a scalar for the compiler, so that no wave runs the code of another one.
void ModuleWriter::read_position() {
  if (variant_.place == Place::groups) {
    const Id id3 = module_.type_vector(u32_, 3);
    const Id group = main_.value(spv::OpLoad, id3, {module_.builtin_variable(spv::BuiltInWorkgroupId, id3)});
    thread_id_ = main_.value(spv::OpCompositeExtract, u32_, {group, 0});
    is_first_lane_ = module_.constant_bool(true);
    return;
  }
  thread_id_ = main_.value(spv::OpLoad, u32_, {module_.builtin_variable(spv::BuiltInSubgroupId, u32_)});
  const Id index = main_.value(spv::OpLoad, u32_, {module_.builtin_variable(spv::BuiltInLocalInvocationIndex, u32_)});
  const Id lane = main_.value(spv::OpBitwiseAnd, u32_, {index, number(wave_size_ - 1)});
  is_first_lane_ = main_.value(spv::OpIEqual, module_.type_bool(), {lane, number(0)});
}

size_t ModuleWriter::phase_count() const {
  size_t barriers = 0;
  for (const Operation& op : program_.threads[0]) barriers += op.kind == OperationKind::barrier ? 1 : 0;
  return barriers + 1;
}

template <class Body>
void ModuleWriter::write_if(Id condition, Body body) {
  const Id then = module_.new_id(), merge = module_.new_id();
  main_.statement(spv::OpSelectionMerge, {merge, 0});
  main_.statement(spv::OpBranchConditional, {condition, then, merge});
  main_.label(then);
  body();
  main_.statement(spv::OpBranch, {merge});
  main_.label(merge);
}

/// `word` counts dwords, all of whose places but the first are odd.
Id ModuleWriter::place(unsigned variable, uint32_t word) {
  if (variable >= kFirstShared) {
    const Id pointer = module_.type_pointer(spv::StorageClassWorkgroup, cell_);
    return main_.value(spv::OpAccessChain, pointer, {shared_, number(variable - kFirstShared)});
  }
  const Id pointer = module_.type_pointer(spv::StorageClassStorageBuffer, cell_);
  const uint32_t first = kFirstVariable + variable * kVariableStride;
  const uint32_t index = variant_.is_wide ? (first + word + 1) / 2 : first + word;
  return main_.value(spv::OpAccessChain, pointer, {memory_, number(0), number(index)});
}

void ModuleWriter::store(Id pointer, Id value) {
  if (vulkan()) return main_.statement(spv::OpStore, {pointer, value, spv::MemoryAccessNonPrivatePointerMask});
  main_.statement(spv::OpStore, {pointer, value});
}

Id ModuleWriter::load(const Operation& op) {
  const Id pointer = place(op.variable);
  if (op.order != Order::plain) return main_.value(spv::OpAtomicLoad, cell_, {pointer, scope(), semantics(op.order)});
  if (vulkan()) return main_.value(spv::OpLoad, cell_, {pointer, spv::MemoryAccessNonPrivatePointerMask});
  return main_.value(spv::OpLoad, cell_, {pointer});
}

/// After all operations: a result that is stored at once would have to be waited for at once.
void ModuleWriter::write_results() {
  const Id pointer = module_.type_pointer(spv::StorageClassStorageBuffer, cell_);
  for (const auto& [slot, value] : held_results_) {
    store(main_.value(spv::OpAccessChain, pointer, {results_, number(0), number(slot)}), value);
  }
  held_results_.clear();
}

void ModuleWriter::write_spin(const Operation& op) {
  const Id header = module_.new_id(), next = module_.new_id(), merge = module_.new_id();
  main_.statement(spv::OpBranch, {header});
  main_.label(header);
  const Id value = load(op);
  const Id again = main_.value(spv::OpIEqual, module_.type_bool(), {value, cell(0)});
  main_.statement(spv::OpLoopMerge, {merge, next, 0});
  main_.statement(spv::OpBranchConditional, {again, next, merge});
  main_.label(next);
  main_.statement(spv::OpBranch, {header});
  main_.label(merge);
}

/// The sum of what was touched is a result, or the loads would go.
void ModuleWriter::write_touch(const Operation& op) {
  // Every time another word, and none beside the last one: neither can be the same load.
  const Id value = word_of(main_.value(spv::OpLoad, cell_, {place(op.variable, 1 + touches_++ % kTouchedWords * 2)}));
  const Id before = main_.value(spv::OpLoad, u32_, {touched_});
  main_.statement(spv::OpStore, {touched_, main_.value(spv::OpIAdd, u32_, {before, value})});
}

void ModuleWriter::write_operation(const Operation& op) {
  switch (op.kind) {
    case OperationKind::store:
      if (op.order == Order::plain) return store(place(op.variable), cell(op.value));
      return main_.statement(spv::OpAtomicStore, {place(op.variable), scope(), semantics(op.order), cell(op.value)});
    case OperationKind::load:
      held_results_.emplace_back(op.result, load(op));
      return;
    case OperationKind::update:
      main_.value(spv::OpAtomicOr, cell_, {place(op.variable), scope(), semantics(op.order), cell(op.value)});
      return;
    case OperationKind::returning_update:
      held_results_.emplace_back(
          op.result, main_.value(spv::OpAtomicOr, cell_, {place(op.variable), scope(), semantics(op.order), cell(0)}));
      return;
    case OperationKind::spin:
      return write_spin(op);
    case OperationKind::fence:
      return main_.statement(spv::OpMemoryBarrier, {scope(), semantics(op.order)});
    case OperationKind::touch:
      return write_touch(op);
    case OperationKind::barrier:
      return;
  }
}

void ModuleWriter::write_operations(const std::vector<Operation>& operations, size_t phase) {
  size_t at = 0;
  for (const Operation& op : operations) {
    if (op.kind == OperationKind::barrier) {
      ++at;
    } else if (at == phase) {
      write_operation(op);
    }
  }
}

void ModuleWriter::write_phase(size_t phase) {
  write_if(is_first_lane_, [&] {
    for (uint32_t thread = 0; thread < program_.threads.size(); ++thread) {
      const Id mine = main_.value(spv::OpIEqual, module_.type_bool(), {thread_id_, number(thread)});
      write_if(mine, [&] {
        write_operations(program_.threads[thread], phase);
        write_results();
      });
    }
  });
}

void ModuleWriter::write_barrier() {
  main_.statement(spv::OpControlBarrier, {number(spv::ScopeWorkgroup), scope(), semantics(Order::acq_rel)});
}

std::vector<uint32_t> ModuleWriter::write() {
  declare();
  read_position();
  for (size_t phase = 0; phase < phase_count(); ++phase) {
    if (phase != 0) write_barrier();
    write_phase(phase);
  }
  // After the results: one word per thread.
  const Id pointer = module_.type_pointer(spv::StorageClassStorageBuffer, cell_);
  const Id slot = main_.value(spv::OpIAdd, u32_, {thread_id_, number(kResults)});
  const Id at = main_.value(spv::OpAccessChain, pointer, {results_, number(0), slot});
  const Id touched = main_.value(spv::OpLoad, u32_, {touched_});
  store(at, variant_.is_wide ? main_.value(spv::OpUConvert, cell_, {touched}) : touched);
  main_.statement(spv::OpReturn, {});
  main_.finish();
  const bool waves = variant_.place == Place::waves;
  const uint32_t size = waves ? wave_size_ * static_cast<uint32_t>(program_.threads.size()) : 1;
  return module_.finish(main_.id(), {size, 1, 1});
}

}  // namespace

std::vector<uint32_t> make_module(const Program& program, const Variant& variant, uint32_t wave_size) {
  return ModuleWriter(program, variant, wave_size).write();
}

}  // namespace spalt::litmus
