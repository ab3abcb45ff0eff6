// SPDX-License-Identifier: MIT
// Operations that compute values: one loop over the running lanes for each instruction.
#include <algorithm>

#include "interp/bytes.h"
#include "interp/subgroup.h"

namespace spalt::interp {

template <unsigned N>
void Subgroup::evaluate_row(const Code& code) {
  const Slot slots[] = {code.a, code.b, code.c, code.d};
  const uint64_t* from[N];
  for (unsigned i = 0; i < N; ++i) from[i] = row(slots[i]);
  uint64_t* to = row(code.dest);
  const ir::Evaluator evaluator = code.evaluator;
  for_running([&](unsigned lane) {
    uint64_t operands[N];
    for (unsigned i = 0; i < N; ++i) operands[i] = from[i][lane];
    to[lane] = evaluator(operands);
  });
}

void Subgroup::evaluate(const Code& code) {
  switch (code.count) {
    case 1:
      return evaluate_row<1>(code);
    case 2:
      return evaluate_row<2>(code);
    case 3:
      return evaluate_row<3>(code);
    default:
      return evaluate_row<4>(code);
  }
}

void Subgroup::copy(const Code& code) {
  for (unsigned i = 0; i < code.count; ++i) {
    const uint64_t* from = row(code.a + i);
    uint64_t* to = row(code.dest + i);
    for_running([&](unsigned lane) { to[lane] = from[lane]; });
  }
}

void Subgroup::repack(const Code& code) {
  for_running([&](unsigned lane) {
    uint8_t bytes[16 * 8];
    for (unsigned i = 0; i < code.source_count; ++i) {
      write_bytes(bytes + i * code.source_bytes, code.source_bytes, row(code.a + i)[lane]);
    }
    for (unsigned i = 0; i < code.count; ++i) {
      row(code.dest + i)[lane] = read_bytes(bytes + i * code.bytes, code.bytes);
    }
  });
}

/// Counts what the dispatch has done; `steps_left` only falls.
void Subgroup::clock(const Code& code) {
  const uint64_t time = context_.limits.steps - context_.steps_left;
  uint64_t* low = row(code.dest);
  uint64_t* high = row(code.dest + 1);
  for_running([&](unsigned lane) {
    low[lane] = time & 0xffffffffu;
    high[lane] = time >> 32;
  });
}

void Subgroup::builtin(const Code& code) {
  uint64_t* to = row(code.dest);
  for_running([&](unsigned lane) { to[lane] = builtin(code.imm, first_ + lane); });
}

uint32_t Subgroup::builtin(uint64_t imm, uint32_t invocation) const {
  const auto& size = context_.module.compute().workgroup_size;
  uint32_t local[] = {invocation % size[0], invocation / size[0] % size[1], invocation / size[0] / size[1]};
  if (context_.module.compute().derivatives == ir::DerivativeGroup::quads) {
    // Two rows after each other, square by square.
    const uint32_t pair = invocation % (2 * size[0]), square = pair / 4;
    local[0] = 2 * square + (pair & 1);
    local[1] = (local[1] & ~1u) + (pair >> 1 & 1);
  }
  const uint32_t subgroup = context_.dispatch.subgroup_size;
  const size_t component = std::min<size_t>(imm >> 8, 2);
  switch (static_cast<ir::BuiltIn>(imm & 0xff)) {
    case ir::BuiltIn::workgroup_id:
      return group_.id[component];
    case ir::BuiltIn::num_workgroups:
      return context_.dispatch.groups[component];
    case ir::BuiltIn::local_invocation_id:
      return local[component];
    case ir::BuiltIn::local_invocation_index:
      return (local[2] * size[1] + local[1]) * size[0] + local[0];
    case ir::BuiltIn::global_invocation_id:
      return group_.id[component] * size[component] + local[component];
    case ir::BuiltIn::subgroup_size:
      return subgroup;
    case ir::BuiltIn::subgroup_invocation_id:
      return invocation % subgroup;
    case ir::BuiltIn::subgroup_id:
      return invocation / subgroup;
    case ir::BuiltIn::num_subgroups:
      return (group_.invocations + subgroup - 1) / subgroup;
    default:
      return 0;  // programs of the lowered stage have no addresses here, and other stages do not run
  }
}

/// Resource values: which binding of the module, which element. A key has the same in 32 bits; what names no buffer
/// becomes a binding that no module has.
void Subgroup::resource(const Code& code) {
  const uint64_t* from = row(code.a);
  uint64_t* to = row(code.dest);
  for_running([&](unsigned lane) {
    switch (code.kind) {
      case Kind::key:
        to[lane] = (code.imm + 1) << ir::kKeyElementBits | (from[lane] & ir::kKeyElementMask);
        return;
      case Kind::keyed:
        to[lane] = ((from[lane] >> ir::kKeyElementBits) - 1) << 32 | (from[lane] & ir::kKeyElementMask);
        return;
      default:
        to[lane] = code.imm << 32 | from[lane];
    }
  });
}

}  // namespace spalt::interp
