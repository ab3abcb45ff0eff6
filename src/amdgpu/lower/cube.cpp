// SPDX-License-Identifier: MIT
// With m the major component of the direction and u one of the two coordinates that the face has of it, the place on
// the face is u / 2|m|, in [-0.5, 0.5]. Its derivative along any line is
//
//   (u' - 2 (u / 2|m|) |m|') / 2|m|,  where |m|' is m' with the sign of m.
//
// Which components of the derivative are u' and m', and with which signs, is the table of faces in ir/ops.def.
#include "amdgpu/lower/cube.h"

namespace spalt::lower {

using ir::Op;
using ir::Value;

CubeFace cube_face(Inserter& insert, std::span<const Value> direction) {
  const Value x = direction[0], y = direction[1], z = direction[2];
  const Value center = insert.function().constant_f32(1.5f);
  CubeFace face;
  face.id = insert.f(Op::cube_id, {x, y, z});
  face.major = insert.f(Op::cube_ma, {x, y, z});
  const Value sc = insert.f(Op::cube_sc, {x, y, z});
  const Value tc = insert.f(Op::cube_tc, {x, y, z});
  const Value magnitude = insert.f(Op::fabs, {face.major});
  face.inverse_major = insert.f(Op::frcp, {magnitude});
  face.centered.s = insert.f(Op::fmul, {sc, face.inverse_major});
  face.centered.t = insert.f(Op::fmul, {tc, face.inverse_major});
  face.place.s = insert.f(Op::fadd, {face.centered.s, center});
  face.place.t = insert.f(Op::fadd, {face.centered.t, center});
  return face;
}

FacePlace face_gradient(Inserter& insert, const CubeFace& face, std::span<const Value> along) {
  const Value x = along[0], y = along[1], z = along[2];
  const auto number = [&](float value) { return insert.function().constant_f32(value); };
  const Value on_z = insert.compare(Op::fole, number(4), face.id);
  const Value not_x = insert.compare(Op::fole, number(2), face.id);
  const Value is_negative = insert.compare(Op::folt, face.major, number(0));
  const Value sign = insert.f(Op::select, {is_negative, number(-1), number(1)});
  const Value signed_x = insert.f(Op::fmul, {x, sign});
  const Value signed_z = insert.f(Op::fmul, {z, sign});
  const Value minus_z = insert.f(Op::fneg, {signed_z});
  const Value minus_y = insert.f(Op::fneg, {y});
  // Faces of y take s from x, t from z; those of z take s from x, those of x from z, and both t from y.
  const Value s_of_yz = insert.f(Op::select, {on_z, signed_x, x});
  const Value s = insert.f(Op::select, {not_x, s_of_yz, minus_z});
  const Value t_of_yz = insert.f(Op::select, {on_z, minus_y, signed_z});
  const Value t = insert.f(Op::select, {not_x, t_of_yz, minus_y});
  const Value major_of_yz = insert.f(Op::select, {on_z, z, y});
  const Value major = insert.f(Op::select, {not_x, major_of_yz, x});
  const Value growth = insert.f(Op::fmul, {major, sign});
  const Value twice = insert.f(Op::fmul, {growth, number(-2)});
  const auto on_face = [&](Value u, Value centered) {
    const Value slant = insert.f(Op::ffma, {twice, centered, u});
    return insert.f(Op::fmul, {slant, face.inverse_major});
  };
  FacePlace gradient;
  gradient.s = on_face(s, face.centered.s);
  gradient.t = on_face(t, face.centered.t);
  return gradient;
}

}  // namespace spalt::lower
