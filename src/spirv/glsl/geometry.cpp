// SPDX-License-Identifier: MIT
// Length, Distance, Cross, Normalize, FaceForward, Reflect, Refract.
#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/glsl/glsl.h"
#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Value;

constexpr uint32_t kMaxComponents = 4;

/// A float vector of up to four components, copied out of the arena.
struct Vector {
  Value x[kMaxComponents];
  uint32_t count = 0;
  ir::Type scalar;
};

bool read_vector(Reader& r, uint32_t id, ir::Type scalar, uint32_t count, Vector& out) {
  Leaves found;
  if (!r.vector_value(id, scalar.scalar, count, found)) return false;
  out.count = found.count;
  out.scalar = scalar;
  for (uint32_t i = 0; i < found.count; ++i) out.x[i] = r.leaf(found, i);
  return true;
}

Value dot(ir::Builder& b, const Vector& left, const Vector& right) {
  return sum_of_products(b, left.x, right.x, left.count);
}

Value length(Reader& r, const Vector& v) {
  if (v.count == 1) return r.flushed(r.b.fabs(v.x[0]));
  return r.b.unary(Op::fsqrt, dot(r.b, v, v));
}

void normalize(ir::Builder& b, Vector& v) {
  const Value inverse = b.unary(Op::frsq, dot(b, v, v));
  for (uint32_t i = 0; i < v.count; ++i) v.x[i] = b.fmul(v.x[i], inverse);
}

void cross(ir::Builder& b, const Vector& left, const Vector& right, Vector& out) {
  for (uint32_t i = 0; i < 3; ++i) {
    const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    const Value first = b.fmul(left.x[j], right.x[k]);
    const Value second = b.fmul(right.x[j], left.x[k]);
    out.x[i] = b.fsub(first, second);
  }
  out.count = 3;
}

/// N if it faces against I as seen from Nref, else -N.
void face_forward(ir::Builder& b, const Vector& n, const Vector& i, const Vector& reference, Vector& out) {
  const Value facing = b.binary(Op::folt, dot(b, reference, i), b.number(n.scalar, 0.0));
  out.count = n.count;
  for (uint32_t c = 0; c < n.count; ++c) out.x[c] = b.select(facing, n.x[c], b.fneg(n.x[c]));
}

/// I - 2 * dot(N, I) * N
void reflect(ir::Builder& b, const Vector& i, const Vector& n, Vector& out) {
  const Value twice = b.fmul(b.number(n.scalar, 2.0), dot(b, n, i));
  out.count = n.count;
  for (uint32_t c = 0; c < n.count; ++c) {
    const Value product = b.fmul(twice, n.x[c]);
    out.x[c] = b.fsub(i.x[c], product);
  }
}

/// k = 1 - eta^2 * (1 - dot(N, I)^2); zero for k < 0, else eta * I - (eta * dot(N, I) + sqrt(k)) * N
void refract(ir::Builder& b, const Vector& i, const Vector& n, Value eta, Vector& out) {
  const Value d = dot(b, n, i);
  const Value one = b.number(n.scalar, 1.0);
  const Value sine = b.fsub(one, b.fmul(d, d));
  const Value eta_square = b.fmul(eta, eta);
  const Value k = b.fsub(one, b.fmul(eta_square, sine));
  const Value total = b.binary(Op::folt, k, b.number(n.scalar, 0.0));
  const Value root = b.unary(Op::fsqrt, k);
  const Value scale = b.fadd(b.fmul(eta, d), root);
  out.count = n.count;
  for (uint32_t c = 0; c < n.count; ++c) {
    const Value along = b.fmul(eta, i.x[c]);
    const Value bent = b.fsub(along, b.fmul(scale, n.x[c]));
    out.x[c] = b.select(total, b.number(n.scalar, 0.0), bent);
  }
}

bool read_pair(Reader& r, const Instruction& in, ir::Type scalar, uint32_t count, Vector& a, Vector& b) {
  return r.has_words(in, 7) && read_vector(r, in[5], scalar, count, a) && read_vector(r, in[6], scalar, a.count, b);
}

bool compute(Reader& r, const Instruction& in, ir::Type scalar, uint32_t count, Vector& out) {
  Vector a, c, d;
  switch (in[4]) {
    case GLSLstd450Length:
      if (!read_vector(r, in[5], scalar, 0, a)) return false;
      out = {{length(r, a)}, 1};
      return true;
    case GLSLstd450Distance:
      if (!read_pair(r, in, scalar, 0, a, c)) return false;
      for (uint32_t i = 0; i < a.count; ++i) a.x[i] = r.b.fsub(a.x[i], c.x[i]);
      out = {{length(r, a)}, 1};
      return true;
    case GLSLstd450Normalize:
      if (!read_vector(r, in[5], scalar, count, out)) return false;
      normalize(r.b, out);
      return true;
    case GLSLstd450Cross:
      if (!read_pair(r, in, scalar, 3, a, c)) return false;
      cross(r.b, a, c, out);
      return true;
    case GLSLstd450FaceForward:
      if (!read_pair(r, in, scalar, count, a, c) || !r.has_words(in, 8) || !read_vector(r, in[7], scalar, count, d))
        return false;
      for (uint32_t i = 0; i < a.count; ++i) a.x[i] = r.flushed(a.x[i]);
      face_forward(r.b, a, c, d, out);
      return true;
    case GLSLstd450Reflect:
      if (!read_pair(r, in, scalar, count, a, c)) return false;
      reflect(r.b, a, c, out);
      return true;
    default:
      if (!read_pair(r, in, scalar, count, a, c) || !r.has_words(in, 8) || !read_vector(r, in[7], scalar, 1, d))
        return false;
      refract(r.b, a, c, d.x[0], out);
      return true;
  }
}

}  // namespace

bool translate_glsl_geometry(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Vector result;
  if (!r.has_words(in, 6) || !r.result_vector_type(in, kAnyFloat, type)) return false;
  const uint32_t count = r.types[type].leaves;
  if (!compute(r, in, ir::Type{r.types[type].scalar}, count, result)) return false;
  if (result.count != count) return r.fail(concat("expected a result of ", result.count, " components"));
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < count; ++i) r.set_leaf(out, i, result.x[i]);
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
