// SPDX-License-Identifier: MIT
// Products of matrices, vectors and scalars. A matrix value holds its columns one after the other.
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/ops/matrix_chain.h"

namespace spalt::spirv {
namespace {

using ir::Value;

/// A vector counts as a matrix of one column or one row, as the product needs it.
struct Shape {
  Leaves value;
  uint32_t rows = 0;
  uint32_t columns = 0;
  uint32_t at(uint32_t row, uint32_t column) const { return column * rows + row; }
};

bool read_shape(Reader& r, uint32_t id, bool vector_is_row, Shape& shape) {
  if (!r.value(id, shape.value)) return false;
  const TypeInfo& type = r.types[shape.value.type];
  if (!kAnyFloat.contains(type.scalar)) return r.fail(concat("expected id ", id, " to be made of floats"));
  if (type.kind == TypeKind::matrix) {
    shape.columns = type.count;
    shape.rows = type.leaves / type.count;
    return true;
  }
  if (type.kind != TypeKind::vector) return r.fail(concat("expected id ", id, " to be a matrix or vector"));
  shape.columns = vector_is_row ? type.count : 1;
  shape.rows = vector_is_row ? 1 : type.count;
  return true;
}

bool is_matrix(const Reader& r, const Shape& shape) {
  return r.types[shape.value.type].kind == TypeKind::matrix;
}

/// The result type and the operands of a product, checked against each other.
bool read_product(Reader& r, const Instruction& in, uint32_t& type, Shape& a, Shape& b) {
  if (!r.has_words(in, 5) || !r.result_value_type(in, type)) return false;
  if (!read_shape(r, in[3], true, a) || !read_shape(r, in[4], false, b)) return false;
  if (is_matrix(r, a) != (in.opcode != spv::OpVectorTimesMatrix) ||
      is_matrix(r, b) != (in.opcode != spv::OpMatrixTimesVector) || a.columns != b.rows ||
      r.scalar_of(a.value) != r.scalar_of(b.value)) {
    return r.fail("the operands' shapes do not fit each other");
  }
  const TypeInfo& result = r.types[type];
  const bool fits = in.opcode == spv::OpMatrixTimesMatrix ? result.kind == TypeKind::matrix && result.count == b.columns
                                                          : result.kind == TypeKind::vector;
  if (!fits || result.scalar != r.scalar_of(a.value) || result.leaves != a.rows * b.columns) {
    return r.fail("the result type does not fit the operands");
  }
  return true;
}

/// A column or a row.
struct Components {
  Value x[4];
  uint32_t count = 0;
};

Components times_column(Reader& r, const Shape& matrix, const Components& column) {
  Components out{{}, matrix.rows};
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    Value left[4];
    for (uint32_t i = 0; i < matrix.columns; ++i) left[i] = r.leaf(matrix.value, matrix.at(row, i));
    out.x[row] = sum_of_products(r.b, left, column.x, matrix.columns);
  }
  return out;
}

Components row_times(Reader& r, const Components& row, const Shape& matrix) {
  Components out{{}, matrix.columns};
  for (uint32_t column = 0; column < matrix.columns; ++column) {
    Value right[4];
    for (uint32_t i = 0; i < matrix.rows; ++i) right[i] = r.leaf(matrix.value, matrix.at(i, column));
    out.x[column] = sum_of_products(r.b, row.x, right, matrix.rows);
  }
  return out;
}

}  // namespace

bool translate_vector_times_scalar(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  Value scalar;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type) || !r.typed_value(in[3], type, a)) return false;
  const TypeKind kind = in.opcode == spv::OpVectorTimesScalar ? TypeKind::vector : TypeKind::matrix;
  if (r.types[type].kind != kind || !kAnyFloat.contains(r.types[type].scalar)) {
    return r.fail("expected a float vector or matrix");
  }
  if (!r.scalar_value(in[4], r.types[type].scalar, scalar)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.fmul(r.leaf(a, i), scalar));
  return r.bind(in[2], out);
}

bool translate_matrix_product(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Shape a, b;
  if (!read_product(r, in, type, a, b)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t column = 0; column < b.columns; ++column) {
    Components vector{{}, b.rows};
    for (uint32_t i = 0; i < b.rows; ++i) vector.x[i] = r.leaf(b.value, b.at(i, column));
    const Components product = times_column(r, a, vector);
    for (uint32_t row = 0; row < a.rows; ++row) r.set_leaf(out, column * a.rows + row, product.x[row]);
  }
  return r.bind(in[2], out);
}

bool translate_matrix_and_vector(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Shape a, b;
  if (!read_product(r, in, type, a, b)) return false;
  const bool vector_is_right = in.opcode == spv::OpMatrixTimesVector;
  const Leaves& operand = vector_is_right ? b.value : a.value;
  Components vector{{}, operand.count};
  for (uint32_t i = 0; i < operand.count; ++i) vector.x[i] = r.leaf(operand, i);
  const MatrixChain chain = matrix_chain(r, in);
  for (const uint32_t id : chain.ids()) {
    Shape matrix;
    if (!read_shape(r, id, false, matrix)) return false;
    vector = vector_is_right ? times_column(r, matrix, vector) : row_times(r, vector, matrix);
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < vector.count; ++i) r.set_leaf(out, i, vector.x[i]);
  return r.bind(in[2], out);
}

bool translate_outer_product(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type)) return false;
  if (!r.vector_value(in[3], kAnyFloat, 0, a) || !r.vector_value(in[4], r.scalar_of(a), 0, b)) return false;
  const TypeInfo& result = r.types[type];
  if (result.kind != TypeKind::matrix || result.scalar != r.scalar_of(a) || result.count != b.count ||
      result.leaves != a.count * b.count) {
    return r.fail("the result type does not fit the operands");
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t column = 0; column < b.count; ++column) {
    for (uint32_t row = 0; row < a.count; ++row) {
      r.set_leaf(out, column * a.count + row, r.b.fmul(r.leaf(a, row), r.leaf(b, column)));
    }
  }
  return r.bind(in[2], out);
}

bool translate_transpose(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type) || !r.value(in[3], a)) return false;
  const TypeInfo& result = r.types[type];
  const TypeInfo& source = r.types[a.type];
  if (result.kind != TypeKind::matrix || source.kind != TypeKind::matrix || result.leaves != source.leaves ||
      result.scalar != source.scalar || source.leaves / source.count != result.count) {
    return r.fail("expected two matrices of transposed shapes");
  }
  const Leaves out = r.new_leaves(type);
  const uint32_t rows = source.leaves / source.count;
  for (uint32_t column = 0; column < source.count; ++column) {
    for (uint32_t row = 0; row < rows; ++row) {
      r.set_leaf(out, row * source.count + column, r.leaf(a, column * rows + row));
    }
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
