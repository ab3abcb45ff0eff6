// SPDX-License-Identifier: MIT
#include "module.h"

#include <utility>

#include "random/spirv_builder.h"
#include "variables.h"

namespace spalt::litmus {
namespace {

using random_programs::FunctionBuilder;
using random_programs::Id;
using random_programs::ModuleBuilder;

/// Every second word of a line of the shortest kind.
constexpr uint32_t kTouchedWords = 7;
static_assert((kFirstTouchedWord + 2 * kTouchedWords - 2) * 4 < 64);

class ModuleWriter {
 public:
  ModuleWriter(const Program& program, const Variant& variant, uint32_t wave_size)
      : program_(program),
        variant_(variant),
        wave_size_(wave_size),
        main_(module_, module_.type_void(), {}),
        variables_(program, variant, module_, main_) {}

  std::vector<uint32_t> write();

 private:
  Id number(uint32_t value) { return module_.constant(u32_, value); }
  Id result_of(Id value, Id type);
  void declare();
  void read_position();
  size_t phase_count() const;
  void write_phase(size_t phase);
  void write_operations(const std::vector<Operation>& operations, size_t phase);
  void write_operation(const Operation& op);
  void write_store(const Operation& op);
  Id write_update(const Operation& op);
  template <class Body>
  void write_if(Id condition, Body body);
  void write_spin(const Operation& op);
  void write_touch(const Operation& op);
  void write_barrier();
  void write_results();
  Id load(const Operation& op);
  void store_result(Id slot, Id value);
  Id scope() { return variables_.scope(); }
  Id semantics(Order order) { return number(semantics_word(order)); }
  uint32_t semantics_word(Order order) const;

  const Program& program_;
  const Variant& variant_;
  uint32_t wave_size_;
  ModuleBuilder module_;
  FunctionBuilder main_;
  Variables variables_;
  Id u32_ = 0, result_type_ = 0, results_ = 0, touched_ = 0;
  Id thread_id_ = 0, lane_ = 0, is_first_lane_ = 0;
  struct HeldResult {
    uint8_t result, variable;
    Id value;
  };
  std::vector<HeldResult> held_results_;
  uint32_t touches_ = 0;
};

uint32_t ModuleWriter::semantics_word(Order order) const {
  const uint32_t storage = variables_.storage_semantics();
  // Before the Vulkan memory model, availability and visibility went without saying.
  const bool explicitly = variables_.vulkan() && !program_.has_order(Order::own);
  const uint32_t available = explicitly ? uint32_t{spv::MemorySemanticsMakeAvailableMask} : 0;
  const uint32_t visible = explicitly ? uint32_t{spv::MemorySemanticsMakeVisibleMask} : 0;
  switch (order) {
    case Order::plain:
    case Order::own:
    case Order::coherent:
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
  if (variables_.vulkan()) module_.use_vulkan_memory_model();
  module_.use_subgroups();
  u32_ = module_.type_int(false);
  result_type_ = module_.type_int(false, result_bytes(variant_) * 8);
  variables_.declare();
  const Id block = module_.type_block({module_.type_runtime_array(result_type_, result_bytes(variant_))}, {0}, true);
  results_ = module_.buffer_variable(spv::StorageClassStorageBuffer, block, 0, kResultBinding);
  touched_ = main_.variable(u32_, number(0));
}

/// Which thread this is: a scalar for the compiler, so that no wave runs the code of another one.
void ModuleWriter::read_position() {
  if (variant_.place == Place::groups) {
    const Id id3 = module_.type_vector(u32_, 3);
    const Id group = main_.value(spv::OpLoad, id3, {module_.builtin_variable(spv::BuiltInWorkgroupId, id3)});
    thread_id_ = main_.value(spv::OpCompositeExtract, u32_, {group, 0});
    lane_ = number(0);
    is_first_lane_ = module_.constant_bool(true);
    return;
  }
  thread_id_ = main_.value(spv::OpLoad, u32_, {module_.builtin_variable(spv::BuiltInSubgroupId, u32_)});
  const Id index = main_.value(spv::OpLoad, u32_, {module_.builtin_variable(spv::BuiltInLocalInvocationIndex, u32_)});
  lane_ = main_.value(spv::OpBitwiseAnd, u32_, {index, number(wave_size_ - 1)});
  is_first_lane_ = main_.value(spv::OpIEqual, module_.type_bool(), {lane_, number(0)});
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

Id ModuleWriter::load(const Operation& op) {
  if (!is_atomic(op.order)) return variables_.load(op.variable, op.order);
  const Id pointer = variables_.pointer(op.variable);
  return main_.value(spv::OpAtomicLoad, variables_.type_of(op.variable), {pointer, scope(), semantics(op.order)});
}

Id ModuleWriter::result_of(Id value, Id type) {
  return type == result_type_ ? value : main_.value(spv::OpUConvert, result_type_, {value});
}

void ModuleWriter::store_result(Id slot, Id value) {
  const Id pointer = module_.type_pointer(spv::StorageClassStorageBuffer, result_type_);
  main_.statement(spv::OpStore, {main_.value(spv::OpAccessChain, pointer, {results_, number(0), slot}), value});
}

/// After all operations: a result that is stored at once would have to be waited for at once.
void ModuleWriter::write_results() {
  for (const auto& [result, variable, value] : held_results_) {
    const Id stored = result_of(value, variables_.type_of(variable));
    store_result(number(result), stored);
  }
  held_results_.clear();
}

void ModuleWriter::write_spin(const Operation& op) {
  const Id header = module_.new_id(), next = module_.new_id(), merge = module_.new_id();
  main_.statement(spv::OpBranch, {header});
  main_.label(header);
  const Id value = load(op);
  const Id again = main_.value(spv::OpIEqual, module_.type_bool(), {value, variables_.constant(op.variable, 0)});
  main_.statement(spv::OpLoopMerge, {merge, next, 0});
  main_.statement(spv::OpBranchConditional, {again, next, merge});
  main_.label(next);
  main_.statement(spv::OpBranch, {header});
  main_.label(merge);
}

/// The sum of what was touched is a result, or the loads would go.
void ModuleWriter::write_touch(const Operation& op) {
  // Every time another word, and none beside the last one: neither can be the same load.
  const Id value = variables_.touched(op.variable, kFirstTouchedWord + touches_++ % kTouchedWords * 2);
  const Id before = main_.value(spv::OpLoad, u32_, {touched_});
  main_.statement(spv::OpStore, {touched_, main_.value(spv::OpIAdd, u32_, {before, value})});
}

void ModuleWriter::write_store(const Operation& op) {
  const Id value = variables_.constant(op.variable, op.value);
  if (!is_atomic(op.order)) return variables_.store(op.variable, value, op.order);
  main_.statement(spv::OpAtomicStore, {variables_.pointer(op.variable), scope(), semantics(op.order), value});
}

Id ModuleWriter::write_update(const Operation& op) {
  const Id pointer = variables_.pointer(op.variable), type = variables_.type_of(op.variable);
  const Id value = variables_.constant(op.variable, op.value);
  return main_.value(spv::OpAtomicOr, type, {pointer, scope(), semantics(op.order), value});
}

void ModuleWriter::write_operation(const Operation& op) {
  switch (op.kind) {
    case OperationKind::store:
      return write_store(op);
    case OperationKind::load:
      held_results_.push_back({op.result, op.variable, load(op)});
      return;
    case OperationKind::update:
      write_update(op);
      return;
    case OperationKind::returning_update:
      held_results_.push_back({op.result, op.variable, write_update(op)});
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
  variables_.begin(lane_);
  for (size_t phase = 0; phase < phase_count(); ++phase) {
    if (phase != 0) write_barrier();
    write_phase(phase);
  }
  // After the results: one word per thread.
  const Id slot = main_.value(spv::OpIAdd, u32_, {thread_id_, number(kResults)});
  store_result(slot, result_of(main_.value(spv::OpLoad, u32_, {touched_}), u32_));
  main_.statement(spv::OpReturn, {});
  main_.finish();
  const bool waves = variant_.place == Place::waves;
  const uint32_t size = waves ? wave_size_ * static_cast<uint32_t>(program_.threads.size()) : 1;
  random_programs::EntryPoint entry;
  entry.modes = {{spv::ExecutionModeLocalSize, size, 1, 1}};
  variables_.add_capabilities(entry);
  return module_.finish(main_.id(), entry);
}

}  // namespace

std::vector<uint32_t> make_module(const Program& program, const Variant& variant, uint32_t wave_size) {
  return ModuleWriter(program, variant, wave_size).write();
}

}  // namespace spalt::litmus
