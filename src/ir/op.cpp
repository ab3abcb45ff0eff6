// SPDX-License-Identifier: MIT
#include "ir/op.h"

namespace spalt::ir {
namespace {

constexpr uint8_t any = OpInfo::kAnyOperands;
constexpr uint8_t pure = kPure, commutes = kCommutes, reads = kReads, writes = kWrites, barrier = kBarrier,
                  ends = kEnds, lanes = kLanes;

}  // namespace

constexpr OpInfo kOpInfos[] = {
#define SPALT_OP(name, group, operands, result, properties) \
  {#name, OpGroup::group, operands, ResultRule::result, properties},
#include "ir/ops.def"
#undef SPALT_OP
};
static_assert(sizeof(kOpInfos) / sizeof(kOpInfos[0]) == static_cast<unsigned>(Op::count));

Op find_op(std::string_view name) {
  for (unsigned i = 0; i < static_cast<unsigned>(Op::count); ++i) {
    if (kOpInfos[i].name == name) return static_cast<Op>(i);
  }
  return Op::count;
}

}  // namespace spalt::ir
