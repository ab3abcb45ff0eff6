// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include "amdgpu/isa/inst.h"

namespace spalt::mir {

/// Calls visit(name, field) for every field of isa::Modifiers; printer and parser share the list. Arrays and bit sets
/// are given element by element.
template <class ModifiersType, class Visit>
void for_each_modifier(ModifiersType& mods, Visit&& visit) {
  static_assert(std::is_same_v<std::remove_const_t<ModifiersType>, isa::Modifiers>);
  visit("neg", mods.neg);
  visit("abs", mods.abs);
  visit("op_sel", mods.op_sel);
  visit("op_sel_hi", mods.op_sel_hi);
  visit("omod", mods.omod);
  visit("clamp", mods.clamp);
  visit("glc", mods.glc);
  visit("slc", mods.slc);
  visit("dlc", mods.dlc);
  visit("offen", mods.offen);
  visit("idxen", mods.idxen);
  visit("addr64", mods.addr64);
  visit("lds", mods.lds);
  visit("tfe", mods.tfe);
  visit("gds", mods.gds);
  visit("format", mods.format);
  visit("offset", mods.offset);
  visit("offset1", mods.offset1);
  visit("dpp_ctrl", mods.dpp_ctrl);
  visit("dpp8", mods.dpp8);
  visit("row_mask", mods.row_mask);
  visit("bank_mask", mods.bank_mask);
  visit("bound_ctrl", mods.bound_ctrl);
  visit("fetch_inactive", mods.fetch_inactive);
  visit("dst_sel", mods.dst_sel);
  visit("dst_unused", mods.dst_unused);
  visit("src0_sel", mods.src_sel[0]);
  visit("src1_sel", mods.src_sel[1]);
  visit("sext", mods.sext);
  visit("dmask", mods.dmask);
  visit("dim", mods.dim);
  visit("unorm", mods.unorm);
  visit("r128", mods.r128);
  visit("lwe", mods.lwe);
  visit("d16", mods.d16);
  visit("a16", mods.a16);
  visit("export_target", mods.export_target);
  visit("export_enable", mods.export_enable);
  visit("export_done", mods.export_done);
  visit("export_compressed", mods.export_compressed);
  visit("export_valid_mask", mods.export_valid_mask);
  visit("interp_attribute", mods.interp_attribute);
  visit("interp_channel", mods.interp_channel);
  visit("th", mods.th);
  visit("scope", mods.scope);
  visit("declare_array", mods.declare_array);
  visit("export_row", mods.export_row);
  visit("wait_exp", mods.wait_exp);
  visit("wait_va_vdst", mods.wait_va_vdst);
  visit("wait_vm_vsrc", mods.wait_vm_vsrc);
}

/// Names of the MemoryBit values, bit 0 first.
constexpr const char* kMemoryNames[8] = {"reads_buffer",  "writes_buffer",  "reads_shared",   "writes_shared",
                                         "reads_scratch", "writes_scratch", "reads_constant", "orders_memory"};
/// Names of the Stage values.
constexpr const char* kStageNames[4] = {"selected", "masked", "allocated", "final"};

}  // namespace spalt::mir
