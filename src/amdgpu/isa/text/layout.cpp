// SPDX-License-Identifier: MIT
// The order of operands in LLVM's assembler text. Mostly that of the slots; what differs is here.
#include "amdgpu/isa/text/layout.h"

namespace spalt::isa {
namespace {

using Kind = TextItemKind;

class Layout {
 public:
  explicit Layout(const OpcodeInfo& info) : info_(info) {}

  void add(Kind kind, unsigned slot = 0) { result_.items[result_.count++] = {kind, static_cast<uint8_t>(slot)}; }
  void destinations() {
    for (unsigned i = 0; i < info_.dst_count; ++i) add(Kind::dst, i);
  }
  const OpcodeInfo& info() const { return info_; }
  OperandRole role(unsigned slot) const { return info_.src[slot].role; }
  TextItems result() const { return result_; }

 private:
  const OpcodeInfo& info_;
  TextItems result_;
};

void list_scalar(Layout& list, Format format) {
  list.destinations();
  for (unsigned i = 0; i < list.info().src_count; ++i) {
    switch (list.role(i)) {
      case OperandRole::simm16:
      case OperandRole::label:
        list.add(Kind::simm16, i);
        break;
      case OperandRole::imm:
        list.add(format == Format::sop1 ? Kind::message : Kind::gpr_index, i);
        break;
      case OperandRole::constant:
        list.add(format == Format::sopk ? Kind::src : Kind::constant, i);
        break;
      default:
        list.add(Kind::src, i);
        break;
    }
  }
}

/// A returning atomic writes its data operand. Prefetches name offset, register and count.
void list_smem(Layout& list) {
  const OpcodeInfo& info = list.info();
  if (!info.has(kTiedData)) list.destinations();
  const unsigned count = info.src_count;
  if (count == 0) return;
  if (list.role(count - 1) == OperandRole::imm) {
    if (count == 3) list.add(Kind::src, 0);
    list.add(Kind::offset);
    list.add(Kind::address, count - 2);
    return list.add(Kind::number, count - 1);
  }
  if (count == 3) list.add(list.role(0) == OperandRole::imm ? Kind::number : Kind::src, 0);
  list.add(Kind::src, count - 2);
  list.add(Kind::scalar_offset, count - 1);
}

void list_plain(Layout& list) {
  list.destinations();
  for (unsigned i = 0; i < list.info().src_count; ++i) list.add(Kind::src, i);
}

/// Absent addresses are written "off", except in FLAT, which has no saddr.
void list_vmem(Layout& list, Format format) {
  const OpcodeInfo& info = list.info();
  if (!info.has(kTiedData)) list.destinations();
  const bool buffer = format == Format::mubuf || format == Format::mtbuf;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const bool saddr = !buffer && i + 1 == info.src_count && list.role(i) == OperandRole::sreg;
    list.add(saddr || list.role(i) == OperandRole::vgpr ? Kind::address : Kind::src, i);
  }
}

void list_image(Layout& list) {
  const OpcodeInfo& info = list.info();
  if (!info.has(kTiedData)) list.destinations();
  const unsigned address = info.has(kMayStore) ? 1 : 0;
  for (unsigned i = 0; i < info.src_count; ++i) list.add(i == address ? Kind::image_address : Kind::src, i);
}

void list_export(Layout& list) {
  list.add(Kind::export_target);
  for (unsigned i = 0; i < 4; ++i) list.add(Kind::export_source, i);
}

void list_valu(Layout& list, Format format) {
  const OpcodeInfo& info = list.info();
  list.destinations();
  if (format == Format::ldsdir && info.has(kInterp)) list.add(Kind::attribute);
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (list.role(i) == OperandRole::imm) {
      list.add(Kind::parameter, i);
    } else {
      list.add(list.role(i) == OperandRole::constant ? Kind::constant : Kind::valu_source, i);
    }
    if (info.has(kInterp) && i == 0) list.add(Kind::attribute);
  }
}

}  // namespace

TextItems text_items(const OpcodeInfo& info, Format format) {
  Layout list(info);
  switch (format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopk:
    case Format::sopc:
    case Format::sopp:
      list_scalar(list, format);
      break;
    case Format::smem:
      list_smem(list);
      break;
    case Format::ds:
      list_plain(list);
      break;
    case Format::flat:
    case Format::global:
    case Format::scratch:
    case Format::mubuf:
    case Format::mtbuf:
      list_vmem(list, format);
      break;
    case Format::mimg:
    case Format::vimage:
    case Format::vsample:
      list_image(list);
      break;
    case Format::exp:
      list_export(list);
      break;
    default:
      list_valu(list, format);
      break;
  }
  return list.result();
}

}  // namespace spalt::isa
