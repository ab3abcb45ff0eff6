// SPDX-License-Identifier: MIT
// Determinant and MatrixInverse by cofactors; the 4x4 case shares the 2x2 minors of the upper and lower halves.
#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/glsl/glsl.h"

namespace spalt::spirv {
namespace {

using ir::Value;

struct Square {
  uint32_t size = 0;
  Value at[4][4];  ///< [column][row]
};

/// a * d - b * c
Value minor2(ir::Builder& builder, Value a, Value b, Value c, Value d) {
  const Value first = builder.fmul(a, d);
  const Value second = builder.fmul(b, c);
  return builder.fsub(first, second);
}

/// x0 * y0 - x1 * y1 + x2 * y2
Value alternating(ir::Builder& b, const Value (&x)[3], const Value (&y)[3]) {
  const Value first = b.fmul(x[0], y[0]);
  const Value second = b.fmul(x[1], y[1]);
  const Value third = b.fmul(x[2], y[2]);
  return b.fadd(b.fsub(first, second), third);
}

/// The cofactor matrix transposed, and the determinant.
struct Adjugate {
  Square matrix;
  Value determinant;
};

Adjugate adjugate2(ir::Builder& b, const Square& m) {
  Adjugate out;
  out.matrix.size = 2;
  out.matrix.at[0][0] = m.at[1][1];
  out.matrix.at[0][1] = b.fneg(m.at[0][1]);
  out.matrix.at[1][0] = b.fneg(m.at[1][0]);
  out.matrix.at[1][1] = m.at[0][0];
  out.determinant = minor2(b, m.at[0][0], m.at[1][0], m.at[0][1], m.at[1][1]);
  return out;
}

Adjugate adjugate3(ir::Builder& b, const Square& m) {
  Adjugate out;
  out.matrix.size = 3;
  for (uint32_t c = 0; c < 3; ++c) {
    for (uint32_t row = 0; row < 3; ++row) {
      // Cyclic indices make all signs positive.
      const uint32_t c1 = (c + 1) % 3, c2 = (c + 2) % 3, r1 = (row + 1) % 3, r2 = (row + 2) % 3;
      out.matrix.at[row][c] = minor2(b, m.at[c1][r1], m.at[c2][r1], m.at[c1][r2], m.at[c2][r2]);
    }
  }
  Value sum = b.fmul(m.at[0][0], out.matrix.at[0][0]);
  for (uint32_t c = 1; c < 3; ++c) {
    const Value product = b.fmul(m.at[c][0], out.matrix.at[0][c]);
    sum = b.fadd(sum, product);
  }
  out.determinant = sum;
  return out;
}

/// Pairs of columns (0,1) (0,2) (0,3) (1,2) (1,3) (2,3).
constexpr uint32_t kPairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
constexpr uint32_t pair_index(uint32_t a, uint32_t b) {
  if (a == 0) return b - 1;
  return a == 1 ? b + 1 : 5;
}

/// Laplace expansion along rows 0,1 and rows 2,3.
Adjugate adjugate4(ir::Builder& b, const Square& m) {
  Value minors[2][6];
  for (uint32_t half = 0; half < 2; ++half) {
    for (uint32_t p = 0; p < 6; ++p) {
      const uint32_t c0 = kPairs[p][0], c1 = kPairs[p][1];
      minors[half][p] =
          minor2(b, m.at[c0][2 * half], m.at[c1][2 * half], m.at[c0][2 * half + 1], m.at[c1][2 * half + 1]);
    }
  }
  Adjugate out;
  out.matrix.size = 4;
  for (uint32_t row = 0; row < 4; ++row) {
    // Deleting `row` leaves its neighbour in the same half, and the minors of the other half.
    const uint32_t neighbour = row ^ 1u;
    const Value* others = minors[row < 2 ? 1 : 0];
    for (uint32_t c = 0; c < 4; ++c) {
      uint32_t kept[3], count = 0;
      for (uint32_t i = 0; i < 4; ++i) {
        if (i != c) kept[count++] = i;
      }
      const Value factors[3] = {m.at[kept[0]][neighbour], m.at[kept[1]][neighbour], m.at[kept[2]][neighbour]};
      const Value rest[3] = {others[pair_index(kept[1], kept[2])], others[pair_index(kept[0], kept[2])],
                             others[pair_index(kept[0], kept[1])]};
      const Value minor = alternating(b, factors, rest);
      // In the lower half the neighbour is the last of the three rows, not the first; the signs are the same.
      out.matrix.at[row][c] = (row + c) % 2 == 0 ? minor : b.fneg(minor);
    }
  }
  Value sum = b.fmul(m.at[0][0], out.matrix.at[0][0]);
  for (uint32_t c = 1; c < 4; ++c) {
    const Value product = b.fmul(m.at[c][0], out.matrix.at[0][c]);
    sum = b.fadd(sum, product);
  }
  out.determinant = sum;
  return out;
}

Adjugate adjugate(ir::Builder& b, const Square& m) {
  if (m.size == 2) return adjugate2(b, m);
  return m.size == 3 ? adjugate3(b, m) : adjugate4(b, m);
}

}  // namespace

bool translate_glsl_matrix(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves source;
  if (!r.has_words(in, 6) || !r.result_value_type(in, type) || !r.value(in[5], source)) return false;
  const TypeInfo& info = r.types[source.type];
  if (info.kind != TypeKind::matrix || info.leaves != info.count * info.count)
    return r.fail("expected a square matrix");
  Square m;
  m.size = info.count;
  for (uint32_t i = 0; i < source.count; ++i) m.at[i / m.size][i % m.size] = r.leaf(source, i);
  const bool inverse = in[4] == GLSLstd450MatrixInverse;
  const TypeInfo& result = r.types[type];
  const bool fits = inverse ? type == source.type : result.kind == TypeKind::floating && result.scalar == info.scalar;
  if (!fits) return r.fail("the result type does not fit the operand");
  const Adjugate adj = adjugate(r.b, m);
  const Leaves out = r.new_leaves(type);
  if (!inverse) {
    r.set_leaf(out, 0, adj.determinant);
    return r.bind(in[2], out);
  }
  const Value scale = r.b.fdiv(r.b.number(ir::Type{info.scalar}, 1.0), adj.determinant);
  for (uint32_t i = 0; i < out.count; ++i) {
    r.set_leaf(out, i, r.b.fmul(adj.matrix.at[i / m.size][i % m.size], scale));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
