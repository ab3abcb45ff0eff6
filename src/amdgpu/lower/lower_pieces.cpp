// SPDX-License-Identifier: MIT
// A prolog hands over two kinds of values: the attributes, which it has fetched, and all registers that the body starts
// with. The latter are entry registers that go where they came from, so that nothing moves; they are here so that
// nothing else gets their place. In a primitive shader, where exec says nothing yet, the fetches are for the lanes that
// have a vertex; what is in the registers of the others does not matter.
#include "amdgpu/lower/lower_pieces.h"

#include <charconv>

#include "amdgpu/lower/lower_fragment_outputs.h"
#include "amdgpu/lower/lower_helper_lanes.h"
#include "amdgpu/lower/lower_vertex_inputs.h"
#include "amdgpu/lower/vertex_frame.h"

namespace spalt::lower {
namespace {

using ir::Op;
using ir::Value;

/// "kept_s5".
ShortName kept_name(char file, unsigned number) {
  ShortName name = "kept_";
  name.append({&file, 1});
  char digits[10];
  name.append({digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr});
  return name;
}

ir::InterfaceAccess access_of(const abi::AttributeRead& read, unsigned component) {
  ir::InterfaceAccess access;
  access.number = read.location;
  access.component = static_cast<uint8_t>(component);
  return access;
}

/// Calls `visit` for each component that the body reads, with the type that matters where it is missing.
template <class Visit>
void for_each_component(const abi::VertexSeam& seam, Visit&& visit) {
  for (const abi::AttributeRead& read : seam.reads) {
    for (unsigned i = 0; i < 4; ++i) {
      if ((read.components >> i & 1) != 0) visit(access_of(read, i), read.integer ? ir::kI32 : ir::kF32);
    }
  }
}

class PrologMaker {
 public:
  PrologMaker(ir::Module& module, const LowerConfig& config, EntryRegisters& entry)
      : module_(module), seam_(*config.prolog), entry_(entry) {}

  /// The registers in the order of `values`: attributes, then all others below.
  void name_attributes(unsigned first_vgpr) {
    for_each_component(seam_, [&](const ir::InterfaceAccess& access, ir::Type) {
      const ShortName name = attribute_name(access.number, access.component);
      module_.handed.push_back({name, ir::EntryArg::File::vgpr, static_cast<uint16_t>(first_vgpr++)});
    });
  }

  void keep(unsigned vgprs, SmallVector<Value, 64>& values) {
    for (unsigned i = 0; i < seam_.kept_sgprs; ++i) {
      keep(kept_name('s', i), isa::sgpr(i), ir::EntryArg::File::sgpr, i, values);
    }
    for (unsigned i = 0; i < vgprs; ++i) {
      keep(kept_name('v', i), isa::vgpr(i), ir::EntryArg::File::vgpr, i, values);
    }
  }

 private:
  void keep(const ShortName& name, isa::Reg reg, ir::EntryArg::File file, unsigned number,
            SmallVector<Value, 64>& values) {
    values.push_back(entry_.whole(name, reg, ir::kI32));
    module_.handed.push_back({name, file, static_cast<uint16_t>(number)});
  }

  ir::Module& module_;
  const abi::VertexSeam& seam_;
  EntryRegisters& entry_;
};

/// The draw's registers are where every body has them, whether the state needs them or not.
Result<abi::VertexNeeds> find_needs(VertexInputFinder& inputs, const abi::VertexSeam& seam) {
  Result<void> found;
  for_each_component(seam, [&](const ir::InterfaceAccess& access, ir::Type type) {
    if (found) found = inputs.visit_attribute(access, type);
  });
  if (!found) return found.error();
  abi::VertexNeeds needs = inputs.needs();
  needs.vertex_buffers = needs.base_vertex = !seam.reads.empty();
  return needs;
}

}  // namespace

Result<abi::StageInterface> lower_prolog(ir::Module& module, CompileContext& context, const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  const abi::VertexSeam& seam = *config.prolog;
  const bool merged = is_primitive_shader(config);
  VertexInputFinder inputs(module, config);
  const Result<abi::VertexNeeds> needs = find_needs(inputs, seam);
  if (!needs) return needs.error();
  abi::StageInterface interface = abi::assign_vertex_interface(*needs, {}, *config.layout, *config.target, merged);
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  MergedFrame frame(module, config, entry);
  ir::BlockId last = function.entry();
  const Value end = function.terminator(last);
  if (merged) frame.open();
  VertexInputRewriter rewriter(inputs.used(), config, entry, insert, context.scratch);
  rewriter.fetch_attributes(end);
  SmallVector<Value, 64> values;
  for_each_component(seam, [&](const ir::InterfaceAccess& access, ir::Type type) {
    values.push_back(rewriter.attribute(access, type));
  });
  function.unlink(end);
  if (merged) last = frame.close_prolog(values.span());
  const unsigned first_vgpr = abi::first_attribute_vgpr(merged, *config.target);
  PrologMaker maker(module, config, entry);
  maker.name_attributes(first_vgpr);
  maker.keep(first_vgpr, values);
  SmallVector<Value, 64> operands;
  operands.push_back(function.constant_bool(true));
  operands.append(values.span());
  ir::Builder builder(function);
  builder.set_end(last);
  builder.insert(Op::hand_over, ir::kVoid, operands.span(), 0, 0);
  builder.ret();
  entry.finish();
  interface.seam = seam;
  module.stage = ir::Stage::lowered;
  return interface;
}

Result<abi::StageInterface> lower_epilog(ir::Module& module, CompileContext& context, const LowerConfig& config) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  abi::StageInterface interface;
  interface.hardware_stage = abi::HardwareStage::ps;
  abi::PixelFacts facts;
  facts.kills = config.epilog->kills;
  Inserter insert(function, context.scratch);
  EntryRegisters entry(module, interface, insert, context.scratch);
  FragmentOutputs outputs(module, config, insert, facts);
  if (Result<void> done = outputs.finish(*config.epilog, entry); !done) return done.error();
  entry.finish();
  interface.facts = facts;
  interface.seam = *config.epilog;
  module.stage = ir::Stage::lowered;
  module.fragment().whole_quads = needs_whole_quads(function);
  lower_helper_lanes(module, context, facts.kills || config.graphics->alpha_to_coverage);
  return interface;
}

}  // namespace spalt::lower
