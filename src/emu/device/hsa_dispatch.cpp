// SPDX-License-Identifier: MIT
#include "emu/device/hsa_dispatch.h"

#include "base/bits.h"
#include "emu/device/device.h"
#include "emu/device/hsa_memory.h"
#include "emu/launch/compute_state.h"
#include "emu/memory/descriptor.h"

namespace spalt::emu {
namespace {

// A kernel with calls whose depth the compiler does not know gets this much on top (the runtime's choice, too).
constexpr uint64_t kDynamicStackBytes = 16384;
constexpr uint64_t kMaxPrivateBytes = 1u << 20;
constexpr uint64_t kEntryAlignment = 256;
constexpr unsigned kMaxUserSgprs = 16;

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

unsigned enabled_user_sgprs(const object::KernelDescriptor& d) {
  return (d.private_segment_buffer ? 4u : 0u) + (d.dispatch_ptr ? 2u : 0u) + (d.queue_ptr ? 2u : 0u) +
         (d.kernarg_ptr ? 2u : 0u) + (d.dispatch_id ? 2u : 0u) + (d.flat_scratch_init ? 2u : 0u) +
         (d.private_segment_size ? 1u : 0u) + d.preloaded_dwords;
}

Result<void> check_descriptor(const object::KernelDescriptor& d, const isa::Target& target) {
  if (d.wave32 && !target.has_wave32) return bad("the kernel wants wave32, which the processor does not have");
  if (d.user_sgprs() > kMaxUserSgprs || d.user_sgprs() < enabled_user_sgprs(d)) {
    return bad("the number of user SGPRs does not fit what the descriptor enables");
  }
  if (d.preloaded_dwords != 0) {
    return Error{Status::unsupported, "preloading of kernel arguments is not supported"};
  }
  if (d.private_segment_bytes > kMaxPrivateBytes) {
    return Error{Status::limit_exceeded, "a work-item wants more than 1 MiB of scratch"};
  }
  if (target.architected_flat_scratch && (d.private_segment_buffer || d.flat_scratch_init)) {
    return bad("the descriptor sets up scratch registers, which the processor does itself");
  }
  return {};
}

Result<void> check_sizes(const object::HsaKernel& kernel, const HsaDispatchInfo& info) {
  if (Result<void> done = check_group_size(info.group_size); !done) return done;
  if (info.group_size[0] * info.group_size[1] * info.group_size[2] > kernel.max_items) {
    return Error{Status::invalid_argument, "the workgroup is larger than the kernel allows"};
  }
  return {};
}

/// User SGPRs in the order of the ABI (docs/abi/amdgpu.md#initial-sgprs).
std::vector<UserSgpr> user_sgprs_of(const object::KernelDescriptor& d, const HsaMemory& memory,
                                    const ComputeState& state, const isa::Target& target) {
  std::vector<UserSgpr> sgprs;
  const auto put = [&sgprs](uint32_t value) { sgprs.push_back({static_cast<unsigned>(sgprs.size()), value}); };
  const auto put64 = [&put](uint64_t value) {
    put(static_cast<uint32_t>(value));
    put(static_cast<uint32_t>(value >> 32));
  };
  if (d.private_segment_buffer) {
    BufferDescriptor ring;
    ring.base = state.scratch_ring;
    ring.num_records = 0xffffffffu;
    ring.swizzle = ring.add_tid = true;
    ring.index_stride = state.wave_size;
    ring.oob_select = kOobEmpty;
    for (const uint32_t word : encode_descriptor(ring, target)) put(word);
  }
  if (d.dispatch_ptr) put64(memory.dispatch_packet());
  if (d.queue_ptr) put64(memory.queue());
  if (d.kernarg_ptr) put64(memory.kernarg());
  if (d.dispatch_id) put64(0);
  if (d.flat_scratch_init) put64(state.scratch_ring);
  if (d.private_segment_size) put(d.private_segment_bytes);
  return sgprs;
}

/// All that does not depend on guest memory.
ComputeState describe(const object::HsaKernel& kernel, const HsaDispatchInfo& info, const isa::Target& target) {
  const object::KernelDescriptor& d = kernel.descriptor;
  ComputeState state;
  state.wave_size = d.wave32 ? 32 : 64;
  state.group_size = info.group_size;
  for (size_t c = 0; c < 3; ++c) {
    state.grid_items[c] = info.grid_items[c];
    state.group_count[c] =
        static_cast<uint32_t>((uint64_t{info.grid_items[c]} + info.group_size[c] - 1) / info.group_size[c]);
  }
  state.mode_bits = d.mode_bits();
  state.flat_scratch_is_set = target.architected_flat_scratch;
  state.user_sgpr_count = d.user_sgprs();
  state.group_id_enabled = {d.group_id(0), d.group_id(1), d.group_id(2)};
  state.group_info_enabled = d.group_info();
  state.scratch_offset_enabled = d.private_segment() && !target.architected_flat_scratch;
  state.local_id_components = d.local_id_components();
  state.local_ids_packed = target.packed_work_item_ids;
  state.group_ids_in_ttmp = target.work_group_ids_in_ttmp;
  return state;
}

/// What whoever runs the waves wants to know.
Launch describe_launch(const object::HsaKernel& kernel, const ComputeState& state, const isa::Target& target) {
  const object::KernelDescriptor& d = kernel.descriptor;
  Launch launch;
  launch.wave_size = state.wave_size;
  launch.vgpr_count = (d.vgprs_field() + 1) * target.vgpr_encoding_granule(state.wave_size);
  launch.waves_per_group = state.waves_per_group();
  launch.wgp_mode = target.has_wgp_mode && d.wgp_mode();
  const uint64_t per_lane = d.private_segment_bytes + (d.dynamic_stack ? kDynamicStackBytes : 0);
  launch.scratch_bytes_per_wave = d.private_segment() ? scratch_bytes_per_wave(per_lane, state.wave_size) : 0;
  return launch;
}

/// The executable segment with the kernel's first instruction.
Result<const object::HsaSegment*> code_of(const object::HsaObject& object, const object::HsaKernel& kernel,
                                          uint64_t& entry) {
  entry = kernel.descriptor_address + static_cast<uint64_t>(kernel.descriptor.entry_offset);
  const object::HsaSegment* segment = object.segment_of(entry, 4);
  if (segment == nullptr || !segment->executable) return bad("the entry point is in no executable segment");
  if (entry % kEntryAlignment != 0) return bad("the entry point is not aligned to 256 bytes");
  return segment;
}

}  // namespace

Result<DispatchOutcome> run_hsa_dispatch(const object::HsaObject& object, const HsaDispatchInfo& info) {
  const object::HsaKernel* kernel = object.find_kernel(info.kernel);
  if (kernel == nullptr) return Error{Status::invalid_argument, "there is no kernel \"" + info.kernel + "\""};
  const isa::Target& target = *object.target;
  if (!target.executes) {
    return Error{Status::unsupported, std::string("the target \"") + target.name + "\" is not executed"};
  }
  if (Result<void> done = check_descriptor(kernel->descriptor, target); !done) return done.error();
  if (Result<void> done = check_sizes(*kernel, info); !done) return done.error();
  ComputeState state = describe(*kernel, info, target);
  Launch launch = describe_launch(*kernel, state, target);
  if (launch.vgpr_count > target.vgpr_limit) return bad("too many vector registers");
  const Result<uint64_t> lds = lds_bytes_of(*kernel, info);
  if (!lds) return lds.error();
  if (*lds > target.lds_bytes_per_workgroup) return bad("too much LDS");
  launch.lds_bytes = static_cast<uint32_t>(*lds);
  const Result<uint64_t> groups = count_groups(state.group_count);
  if (!groups) return groups.error();
  launch.groups = *groups;
  launch.step_limit = info.step_limit;
  launch.observer = info.observer;

  uint64_t entry = 0;
  const Result<const object::HsaSegment*> code = code_of(object, *kernel, entry);
  if (!code) return code.error();
  const auto space = std::make_shared<AddressSpace>();
  const auto device = Device::create(space, groups_at_a_time(info.threads, *groups, info.observer, {}), 0);
  if (!device) return device.error();
  const Result<HsaMemory> memory = HsaMemory::build(*space, object, *kernel, info, launch.lds_bytes);
  if (!memory) return memory.error();
  launch.program = std::make_shared<const Program>((*code)->bytes, memory->load_address() + (*code)->address, target,
                                                   launch.wave_size, launch.vgpr_count);
  state.entry_step = launch.program->step_at(entry - (*code)->address);
  if (state.entry_step == Program::kNoStep) return bad("no instruction starts at the entry point");
  if (launch.scratch_bytes_per_wave != 0) state.scratch_ring = (*device)->scratch_address();
  state.user_sgprs = user_sgprs_of(kernel->descriptor, *memory, state, target);
  const ComputeInitializer initializer(state);
  launch.initializer = &initializer;
  Result<RunOutcome> outcome = (*device)->run(launch, info.hierarchy);
  if (!outcome) return outcome.error();
  return describe_outcome(*outcome, *launch.program);
}

}  // namespace spalt::emu
