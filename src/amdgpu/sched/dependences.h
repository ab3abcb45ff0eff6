// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/mir/function.h"

namespace spalt::sched {

/// What isa/timing.h says, in cycles.
struct InstCost {
  uint16_t issue;    ///< until the wave's next instruction can issue
  uint16_t latency;  ///< until the result can be used
};
InstCost cost_of(const mir::Function& function, mir::InstId id);

/// Dependence graph of a straight run of instructions. Node i is the i-th instruction; edges lead forward.
class Dependences {
 public:
  explicit Dependences(Arena& scratch) : scratch_(scratch) {}

  struct Edge {
    uint32_t to;
    uint16_t latency;  ///< cycles after the issue of the source before the target can issue without a stall
  };

  /// `def_node` is scratch space by virtual register, all kNone; left that way again. Edges are in no special order.
  void build(const mir::Function& function, std::span<const mir::InstId> insts, Vector<uint32_t>& def_node);

  std::span<const Edge> successors(uint32_t node) const {
    return {edges_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }
  uint32_t issue_cycles(uint32_t node) const { return cost_[node].issue; }
  uint32_t predecessor_count(uint32_t node) const { return predecessors_[node]; }

  static constexpr uint32_t kNone = 0xffffffffu;

 private:
  /// Accesses to one physical register or memory class since its last writer.
  struct Resource {
    uint32_t writer = kNone;
    Vector<uint32_t> readers;
    explicit Resource(Arena& scratch) : readers(scratch) {}
  };
  struct RawEdge {
    uint32_t from, to;
    uint16_t latency;
  };
  void add(uint32_t from, uint32_t to, uint16_t latency) { raw_.push_back({from, to, latency}); }
  bool add_registers(const mir::Function& function, mir::InstId inst, uint32_t node, Vector<uint32_t>& def_node);
  Resource& resource_of(isa::Reg reg);
  static bool concerns_only_memory(const mir::Inst& inst);
  void add_memory(const mir::Inst& inst, uint32_t node);
  void add_barrier(uint32_t node);
  void finish(uint32_t count);

  Arena& scratch_;
  Vector<RawEdge> raw_{scratch_};
  Vector<Edge> edges_{scratch_};
  Vector<uint32_t> begin_{scratch_}, predecessors_{scratch_};
  Vector<InstCost> cost_{scratch_};

  void read(Resource& resource, uint32_t node);
  void write(Resource& resource, uint32_t node);
  Resource scc_{scratch_}, exec_{scratch_}, m0_{scratch_}, vcc_{scratch_}, other_{scratch_};
  Resource memory_[3] = {Resource(scratch_), Resource(scratch_), Resource(scratch_)};  ///< buffers, shared, scratch
  Vector<uint32_t> memory_accesses_{scratch_};
  uint32_t memory_fence_ = kNone;
  uint32_t barrier_ = kNone;
};

}  // namespace spalt::sched
