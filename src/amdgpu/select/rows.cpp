// SPDX-License-Identifier: MIT
#include "amdgpu/select/rows.h"

#include <array>

namespace spalt::select {
namespace {

constexpr auto make_rows() {
  std::array<Row, static_cast<size_t>(ir::Op::count)> rows{};
  // The names of the columns, `none` included, are those of mir::Opcode.
  constexpr mir::Opcode none = mir::Opcode::invalid;
  using enum mir::Opcode;
#define SPALT_ROW(op, form, s16, s32, s64, v16, v32, v64, pk16) \
  rows[static_cast<size_t>(ir::Op::op)] = {RowForm::form, s16, s32, s64, v16, v32, v64, pk16};
#include "amdgpu/select/rows.def"
#undef SPALT_ROW
  return rows;
}
constexpr auto kRows = make_rows();

}  // namespace

const Row& row_of(ir::Op op) {
  return kRows[static_cast<size_t>(op)];
}

}  // namespace spalt::select
