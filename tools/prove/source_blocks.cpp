// SPDX-License-Identifier: MIT
// IR with the inputs and functions of the hardware: entry registers by their numbers, float operations as what the
// instructions compute, memory by place. Where the IR allows several results, a product and a sum that may be rounded
// once or twice, it is the one that the selected code has somewhere.
#include "source_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "amdgpu/isa/inst.h"
#include "float_function.h"
#include "image_formula.h"
#include "ir/ballot.h"
#include "ir/export.h"
#include "source_float.h"

namespace spalt::prove {

namespace {

using ir::Inst;
using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Type;
using ir::Value;

class Blocks {
 public:
  Blocks(z3::context& context, Inputs& inputs, const ir::Module& module, const SourceFacts& facts)
      : c_(context),
        inputs_(inputs),
        module_(module),
        f_(module.functions[0]),
        facts_(facts),
        lane_(inputs.get("lane", facts.wave_size, true)),
        values_(f_.value_capacity()),
        place_(f_.block_capacity()) {}

  SourceBlocks run() {
    const ir::BlockList& layout = f_.layout();
    for (unsigned i = 0; i < layout.size(); ++i) place_[layout[i].index] = i;
    result_.behaviour.blocks.resize(layout.size());
    for (BlockBehaviour& block : result_.behaviour.blocks) block.defined = c_.bool_val(true);
    for (number_ = 0; number_ < layout.size(); ++number_) {
      block(layout[number_]);
      if (!result_.behaviour.refusal.empty()) return std::move(result_);
    }
    for (number_ = 0; number_ < layout.size(); ++number_) arrivals(layout[number_]);
    share_promises();
    return std::move(result_);
  }

 private:
  BlockBehaviour& here() { return result_.behaviour.blocks[number_]; }
  void refuse(const std::string& why) {
    if (result_.behaviour.refusal.empty()) result_.behaviour.refusal = why;
  }
  void require(const z3::expr& condition) {
    own_ = own_ && condition;
    here().defined = *here().defined && condition;
  }

  void block(ir::BlockId id) {
    size_t phis = 0;
    for (const Value value : insts(f_, id)) {
      const Inst& inst = f_.inst(value);
      if (ir::is_terminator(inst.op)) {
        terminator(id, value);
      } else if (inst.op == Op::phi) {
        for (unsigned i = 0; i < inst.type.components; ++i) {
          const bool divergent = facts_.phis[number_][phis].divergent;
          values_[value.index].push_back(inputs_.get(phi_name(number_, phis, i), inst.type.scalar_bits(), divergent));
        }
        ++phis;
      } else {
        own_ = c_.bool_val(true);
        Formulas formulas = instruction(value);
        if (!result_.behaviour.refusal.empty()) return;
        for (z3::expr& formula : formulas) formula = facts_.adopt(formula.simplify(), own_, *here().defined);
        values_[value.index] = std::move(formulas);
      }
    }
  }

  void terminator(ir::BlockId id, Value value) {
    const Inst& inst = f_.inst(value);
    for (const ir::BlockId pred : f_.block(id).preds) here().predecessors.push_back(place_[pred.index]);
    for (const ir::BlockId succ : f_.block(id).succs) here().successors.push_back(place_[succ.index]);
    if (inst.op == Op::branch_if) here().taken = truth(operand(value, 0)[0]);
    if (inst.op == Op::switch_on) refuse("it has a switch");
    here().returns = inst.op == Op::ret;
    here().never_ends = inst.op == Op::unreachable;
  }

  void arrivals(ir::BlockId id) {
    for (const Value value : insts(f_, id)) {
      if (f_.inst(value).op != Op::phi) break;
      std::vector<Arrival> from;
      for (const Value given : f_.operands(value)) {
        from.push_back(f_.inst(given).op == Op::undef ? Arrival() : joined_words(use(given)).simplify());
      }
      here().phis.push_back(std::move(from));
    }
  }

  /// What holds in a block holds in those that are reached through it only, and what entry registers hold everywhere.
  void share_promises() {
    const ir::BlockList& layout = f_.layout();
    std::vector<BlockBehaviour>& blocks = result_.behaviour.blocks;
    for (unsigned i = 1; i < layout.size(); ++i) {
      const auto& preds = f_.block(layout[i]).preds;
      blocks[i].defined = *blocks[i].defined && *blocks[0].defined;
      if (preds.size() == 1 && place_[preds[0].index] < i) {
        blocks[i].defined = *blocks[i].defined && *blocks[place_[preds[0].index]].defined;
      }
    }
  }

  Formulas operand(Value user, unsigned index) { return use(f_.operand(user, index)); }

  Formulas use(Value value) {
    const Inst& inst = f_.inst(value);
    const unsigned width = inst.type.scalar_bits();
    if (inst.op == Op::constant) return {number(c_, inst.imm, width)};
    if (inst.op != Op::undef) return values_[value.index];
    Formulas words;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      words.push_back(c_.bv_const(("undef." + std::to_string(result_.free.size())).c_str(), width));
      result_.free.push_back(words.back());
    }
    return words;
  }

  std::vector<Formulas> operands_of(Value value) {
    std::vector<Formulas> all;
    for (const Value operand : f_.operands(value)) all.push_back(use(operand));
    return all;
  }

  Formulas instruction(Value value) {
    const Inst& inst = f_.inst(value);
    if (inst.op == Op::arg) return entry_registers(inst);
    if (inst.op == Op::builtin) return builtin(inst);
    if (inst.op == Op::export_to) return exported(value);
    const std::vector<Formulas> operands = operands_of(value);
    switch (ir::group(inst.op)) {
      case ir::OpGroup::move:
        if (inst.op == Op::read_first_lane) return from_lane(inst, "first lane", operands[0][0], {});
        if (inst.op == Op::quad_permute) {
          return from_lane(inst, "quad permute " + std::to_string(inst.imm), operands[0][0], {});
        }
        if (ir::depends_on_lanes(inst.op)) break;
        return move_formula(inst.op, inst.type, inst.imm, operands);
      case ir::OpGroup::subgroup:
        return among_lanes(inst, operands);
      case ir::OpGroup::memory:
      case ir::OpGroup::atomic:
        return memory(value, operands);
      case ir::OpGroup::synchronize:
        if (inst.op == Op::control_barrier && has_other_waves()) here().events.push_back({"barrier", {}});
        return {};
      case ir::OpGroup::integer:
      case ir::OpGroup::integer_compare:
      case ir::OpGroup::integer_convert:
      case ir::OpGroup::floating:
      case ir::OpGroup::float_compare:
      case ir::OpGroup::float_convert:
        return arithmetic(value, operands);
      case ir::OpGroup::image:
        return image(value, operands);
      case ir::OpGroup::interface:
        return graphics(inst, operands);
      default:
        break;
    }
    return no_formula(inst);
  }

  Formulas no_formula(const Inst& inst) {
    refuse("it has " + std::string(ir::info(inst.op).name) + ", which has no formula");
    return {};
  }

  /// Waves that hold a whole workgroup wait for nobody.
  bool has_other_waves() {
    if (module_.shader_stage() != ir::ShaderStage::compute) return true;
    const uint64_t size = module_.compute().invocations();
    return size == 0 || size > facts_.wave_size;
  }

  Formulas entry_registers(const Inst& inst) {
    const ir::EntryArg& arg = module_.args[inst.imm];
    const bool of_lanes = arg.file == ir::EntryArg::File::vgpr;
    const isa::Reg first = of_lanes ? isa::vgpr(arg.reg) : isa::sgpr(arg.reg);
    Formulas words;
    for (unsigned i = 0; i < arg.dwords; ++i) {
      const isa::Reg reg = first.offset(static_cast<int>(i));
      words.push_back(inputs_.get("register " + std::to_string(reg.number), 32, of_lanes));
    }
    if (arg.dwords == 1) require(z3::ule(words[0], number(c_, arg.max, 32)));
    return move_formula(Op::bitcast, inst.type, 0, {words});
  }

  z3::expr counter() { return inputs_.get("program counter", 48, false); }
  /// The upper half of the addresses in the window of the program.
  z3::expr window() { return z3::sext(counter(), 16).extract(63, 32); }

  Formulas builtin(const Inst& inst) {
    if (ir::builtin_of(inst.imm) == ir::BuiltIn::subgroup_invocation_id) return {resize(lane_, 32)};
    if (ir::builtin_of(inst.imm) == ir::BuiltIn::address_high) return {window()};
    return no_formula(inst);
  }

  /// Bytes would have to be told from what is beside them in their registers.
  Formulas from_lane(const Inst& inst, const std::string& how, const z3::expr& word, const Formulas& where) {
    if (inst.type.bits() % 16 != 0 || inst.type.is_vector()) return no_formula(inst);
    return {of_other_lane(how, inputs_, word, where)};
  }

  Formulas among_lanes(const Inst& inst, const std::vector<Formulas>& o) {
    const z3::expr word = o[0][0].simplify();
    const auto running = [&] {
      return mask_of_lanes(inputs_, lane_, truth(word)) & running_lanes(inputs_, lane_, number_);
    };
    switch (inst.op) {
      case Op::any_lane:
        return {from_bool(running() != number(c_, 0, facts_.wave_size))};
      case Op::ballot: {
        const auto dword = static_cast<unsigned>(inst.imm & ir::kBallotDword);
        if (dword >= facts_.wave_size / 32) return {number(c_, 0, 32)};
        return {running().extract(32 * dword + 31, 32 * dword)};
      }
      case Op::read_lane:
      case Op::shuffle: {
        const z3::expr given = o[1][0].simplify();
        const bool reads = inst.op == Op::read_lane || z3::eq(given, inputs_.other_lane(given));
        const unsigned group = reads ? facts_.wave_size : static_cast<unsigned>(inst.imm);
        const std::string how = reads ? "read lane" : "shuffle in " + std::to_string(group);
        return from_lane(inst, how, word, {given & number(c_, group - 1, 32)});
      }
      case Op::bits_below: {
        const z3::expr lane = resize(lane_, 64), one = number(c_, 1, 64);
        const z3::expr below = z3::shl(one, lane) - one;
        const auto first = static_cast<unsigned>(32 * inst.imm);
        const z3::expr bits = word & below.extract(first + 31, first);
        z3::expr sum = o[1][0];
        for (unsigned i = 0; i < 32; ++i) sum = sum + resize(bits.extract(i, i), 32);
        return {sum};
      }
      default:
        return no_formula(inst);
    }
  }

  // Arithmetic -------------------------------------------------------------------------------------------------------

  Formulas arithmetic(Value value, const std::vector<Formulas>& operands) {
    const Inst& inst = f_.inst(value);
    std::vector<Type> types;
    for (const Value operand : f_.operands(value)) types.push_back(f_.type(operand).element());
    const bool of_floats = ir::group(inst.op) == ir::OpGroup::floating ||
                           ir::group(inst.op) == ir::OpGroup::float_compare ||
                           ir::group(inst.op) == ir::OpGroup::float_convert;
    Formulas formulas;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      Formulas words;
      for (const Formulas& operand : operands) words.push_back(operand[operand.size() == 1 ? 0 : i]);
      if (!of_floats) {
        formulas.push_back(operation_formula(inst.op, inst.type.element(), types, words, {{}, Open::evaluator, {}}));
        promises(inst, words, formulas.back());
        continue;
      }
      std::optional<z3::expr> plain = source_float(inst.op, inst.type.element(), types, words);
      if (!plain) return no_formula(inst);
      const z3::expr merged = merge(value, i, words, plain->simplify());
      float_promises(inst, types, words, merged);
      formulas.push_back(merged);
    }
    return formulas;
  }

  bool has_form(const z3::expr& formula) { return facts_.forms.contains(Z3_get_ast_id(c_, formula)); }
  bool may(const Inst& inst, uint16_t freedom) {
    return (ir::fast_math(module_.float_controls(), inst.type, inst.flags) & freedom) != 0;
  }

  /// Other results that the IR allows here, if the selected code has them.
  z3::expr merge(Value value, unsigned component, const Formulas& o, const z3::expr& plain) {
    const Inst& inst = f_.inst(value);
    const unsigned width = inst.type.scalar_bits();
    z3::expr found = plain;
    const auto accept = [&](const z3::expr& candidate) {
      const z3::expr simple = candidate.simplify();
      const bool is = has_form(simple);
      if (is) found = simple;
      return is;
    };
    if (inst.op == Op::ffma && accept(rounded_twice(o[0], o[1], o[2]))) return found;
    if (inst.op == Op::fmul && width == 32 && may(inst, ir::kNoSignedZeros)) {
      constexpr std::array<uint32_t, 3> kFactors = {0x40000000, 0x40800000, 0x3f000000};
      for (unsigned i = 0; i < kFactors.size(); ++i) {
        for (unsigned side = 0; side < 2; ++side) {
          if (!z3::eq(o[side], number(c_, kFactors[i], 32))) continue;
          if (accept(scaled(i + 1, o[1 - side]))) return found;
        }
      }
    }
    if (inst.op != Op::fadd && inst.op != Op::fsub) {
      if (inst.op == Op::fmul) products_.insert_or_assign(key(value, component), std::pair(o[0], o[1]));
      return found;
    }
    std::optional<z3::expr> rounded_once;
    for (unsigned side = 0; side < 2; ++side) {
      bool negates = inst.op == Op::fsub && side == 1;
      Value product = f_.operand(value, side);
      for (; f_.inst(product).op == Op::fneg; product = f_.operand(product, 0)) negates = !negates;
      const auto factors = products_.find(key(product, component));
      if (factors == products_.end()) continue;
      const z3::expr a = negates ? negated(factors->second.first) : factors->second.first, b = factors->second.second;
      const z3::expr c = inst.op == Op::fsub && side == 0 ? negated(o[1]) : o[1 - side];
      // The sign of a product that is NaN means nothing.
      if (negates && accept(rounded_twice(a, b, c))) return found;
      const bool contracts = may(inst, ir::kAllowContraction) && may(f_.inst(product), ir::kAllowContraction);
      if (!contracts) continue;
      const z3::expr once = fused(a, b, c).simplify();
      if (accept(once)) return found;
      if (!rounded_once) rounded_once = once;
    }
    // The selected code has neither as the same formula.
    if (rounded_once && !has_form(plain)) {
      result_.is_sure = false;
      if (facts_.rounds_once) return *rounded_once;
    }
    return found;
  }

  static uint64_t key(Value value, unsigned component) { return uint64_t{value.index} << 8 | component; }

  /// What the flags of an operation promise, and where its result is open.
  void promises(const Inst& inst, const Formulas& o, const z3::expr& result) {
    const unsigned width = o[0].get_sort().bv_size();
    if ((inst.flags & ir::kFits24) != 0 && inst.op == Op::imul) {
      require(z3::ult(o[0], number(c_, 1u << 24, width)) && z3::ult(o[1], number(c_, 1u << 24, width)));
    }
    if (inst.op == Op::bfe_u || inst.op == Op::bfe_s || inst.op == Op::bfi) {
      const size_t first = inst.op == Op::bfi ? 2 : 1;
      const z3::expr offset = z3::zext(o[first], 1), count = z3::zext(o[first + 1], 1);
      require(z3::ule(offset, number(c_, width, 33)) && z3::ule(offset + count, number(c_, width, 33)));
    }
    if (inst.op != Op::iadd && inst.op != Op::isub && inst.op != Op::imul) return;
    const auto exact = [&](bool is_signed) {
      const auto widen = [&](const z3::expr& a) { return is_signed ? z3::sext(a, width) : z3::zext(a, width); };
      const z3::expr a = widen(o[0]), b = widen(o[1]);
      return (inst.op == Op::iadd ? a + b : inst.op == Op::isub ? a - b : a * b) == widen(result);
    };
    if ((inst.flags & ir::kNoSignedWrap) != 0) require(exact(true));
    if ((inst.flags & ir::kNoUnsignedWrap) != 0) require(exact(false));
  }

  /// Minima and maxima without NaN; of other operations the freedom changes nothing in selection.
  void float_promises(const Inst& inst, const std::vector<Type>& types, const Formulas& o, const z3::expr& result) {
    if ((inst.op != Op::fmin && inst.op != Op::fmax) || (inst.flags & ir::kNoNaN) == 0) return;
    for (size_t i = 0; i < o.size(); ++i) {
      if (types[i].is_float()) require(!nan_formula(o[i]));
    }
    require(!nan_formula(result));
  }

  // Memory -----------------------------------------------------------------------------------------------------------

  /// The places of an access; its offsets do not wrap, and its address is aligned.
  Formulas place(const MemoryAccess& access, const std::vector<Formulas>& o) {
    const bool base = ir::has_base(access.storage);
    const z3::expr offset = o[base ? 1 : 0][0];
    const z3::expr sum = resize(offset, kPlaceBits) + number(c_, access.offset, kPlaceBits);
    require(sum.extract(kPlaceBits - 1, 32) == number(c_, 0, kPlaceBits - 32));
    const unsigned align = std::min<unsigned>(access.align_log2, 2);
    const auto aligned = [&](const z3::expr& at) {
      if (align != 0) require(at.extract(align - 1, 0) == number(c_, 0, align));
    };
    switch (access.storage) {
      case StorageClass::uniform:
      case StorageClass::storage:
        aligned(sum);
        return {joined_words(o[0]), sum};
      case StorageClass::shared:
      case StorageClass::scratch:
        aligned(sum);
        return {sum};
      default:
        break;
    }
    z3::expr start = c_.bv_val(0, 64);
    if (access.storage == StorageClass::table) {
      start = z3::sext(counter(), 16) + resize(inputs_.get("distance to the tables", 32, false), 64);
    } else {
      const z3::expr given = joined_words(o[0]);
      start = given.get_sort().bv_size() == 64 ? given : z3::concat(window(), given);
    }
    const z3::expr address = start + resize(sum, 64);
    aligned(address);
    return {address};
  }

  static const char* memory_name(StorageClass storage) {
    switch (storage) {
      case StorageClass::shared:
        return "shared";
      case StorageClass::scratch:
        return "scratch";
      case StorageClass::uniform:
      case StorageClass::storage:
        return "buffer";
      default:
        return "address";
    }
  }

  Formulas memory(Value value, const std::vector<Formulas>& o) {
    const Inst& inst = f_.inst(value);
    const MemoryAccess access = f_.access(value);
    const Formulas at = place(access, o);
    const std::string name = memory_name(access.storage);
    if (inst.op == Op::load) return load(inst.type, access, name, at);
    const Type data = f_.type(f_.operands(value).back());
    if (inst.op == Op::store) {
      const z3::expr whole = joined_words(o.back());
      const unsigned bits = std::min(data.bits(), 32u);
      for (unsigned first = 0; first < data.bits(); first += bits) {
        Event event{"store " + name + " " + std::to_string(bits), further(at, first / 8)};
        event.words.push_back(whole.extract(first + bits - 1, first));
        here().events.push_back(event);
      }
      return {};
    }
    const std::string what(ir::info(inst.op).name.substr(std::string_view("atomic_").size()));
    Event event{"atomic " + what + " " + name + " " + std::to_string(data.bits()), at};
    for (size_t i = ir::has_base(access.storage) ? 2 : 1; i < o.size(); ++i) event.words.push_back(o[i][0]);
    const z3::expr old = inputs_.get(result_name(number_, here().events.size()), data.bits(), true);
    here().events.push_back(event);
    return {old};
  }

  Formulas load(Type type, const MemoryAccess& access, std::string name, const Formulas& at) {
    const bool unchanging = access.storage == StorageClass::uniform || access.storage == StorageClass::constant ||
                            access.storage == StorageClass::table || (access.flags & ir::kReadOnly) != 0;
    name += unchanging ? " that nobody writes"
                       : " at " + std::to_string(number_) + "." + std::to_string(here().events.size());
    if (type.bits() < 32) return move_formula(Op::bitcast, type, 0, {{loaded(name, type.bits(), at)}});
    Formulas words;
    for (unsigned i = 0; i < type.bits() / 32; ++i) {
      words.push_back(loaded(name, 32, further(at, 4 * i)));
      if (access.align_log2 < 2) continue;
      // Scalar loads ignore the lowest bits, which are zeros.
      Formulas aligned = at;
      aligned.back() = aligned.back() & ~number(c_, 3, aligned.back().get_sort().bv_size());
      const z3::expr other = loaded(name, 32, further(aligned, 4 * i));
      if (!has_form(words.back()) && has_form(other)) words.back() = other;
    }
    return move_formula(Op::bitcast, type, 0, {words});
  }

  // Images and graphics ----------------------------------------------------------------------------------------------

  Formulas image(Value value, const std::vector<Formulas>& o) {
    const Inst& inst = f_.inst(value);
    const ir::ImageAccess access = ir::ImageAccess::unpack(inst.imm);
    if (ir::is_image_query(inst.op)) return no_formula(inst);
    if (access.dim == ir::ImageDim::buffer) return texel_buffer(value, access, o);
    const ImageFormula formula = image_operation(inst.op, access, facts_.has_image_dimension, o);
    if (formula.stores || formula.is_atomic) {
      Formulas results;
      if (formula.is_atomic) {
        results.push_back(inputs_.get(result_name(number_, here().events.size()), inst.type.bits(), true));
      }
      here().events.push_back({formula.what, formula.words});
      return results;
    }
    const std::string what =
        formula.loads ? read_memory(formula.what, (access.flags & ir::kReadOnly) != 0) : formula.what;
    Formulas words;
    for (unsigned i = 0; i < (inst.type.bits() + 31) / 32; ++i) {
      words.push_back(loaded(what + "." + std::to_string(i), 32, formula.words));
    }
    return move_formula(Op::bitcast, inst.type, 0, {words});
  }

  std::string read_memory(const std::string& memory, bool unchanging) {
    if (unchanging) return memory + " that nobody writes";
    return memory + " at " + std::to_string(number_) + "." + std::to_string(here().events.size());
  }

  /// Elements of a buffer with structure, by their number.
  Formulas texel_buffer(Value value, const ir::ImageAccess& access, const std::vector<Formulas>& o) {
    const Inst& inst = f_.inst(value);
    if (access.sparse()) return no_formula(inst);
    const Formulas place = {joined_words(o[0]), o[1][0], number(c_, 0, kPlaceBits)};
    const unsigned count = std::bit_width(static_cast<unsigned>(access.mask));
    if (inst.op == Op::image_load) {
      const std::string memory = read_memory("buffer", (access.flags & ir::kReadOnly) != 0);
      Formulas words;
      for (unsigned i = 0; i < inst.type.components; ++i) {
        words.push_back(loaded(memory + " format 0." + std::to_string(i), 32, place));
      }
      return move_formula(Op::bitcast, inst.type, 0, {words});
    }
    if (inst.op == Op::image_store) {
      Event event{"store buffer format 0 of " + std::to_string(count), place};
      event.words.push_back(joined_words(o.back()));
      here().events.push_back(event);
      return {};
    }
    static constexpr std::array<const char*, ir::kAtomicKinds> kNames = {"exchange", "compare_exchange",
                                                                         "add",      "sub",
                                                                         "smin",     "smax",
                                                                         "umin",     "umax",
                                                                         "and",      "or",
                                                                         "xor",      "fadd",
                                                                         "fmin",     "fmax"};
    const unsigned bits = inst.type.bits();
    Event event{
        "atomic " + std::string(kNames[static_cast<unsigned>(access.atomic)]) + " buffer " + std::to_string(bits),
        place};
    for (size_t i = 2; i < o.size(); ++i) event.words.push_back(o[i][0]);
    const z3::expr old = inputs_.get(result_name(number_, here().events.size()), bits, true);
    here().events.push_back(event);
    return {old};
  }

  Formulas graphics(const Inst& inst, const std::vector<Formulas>& o) {
    const auto which = static_cast<unsigned>(inst.imm);
    const auto call = [&](const char* name, unsigned immediate, const Formulas& words) {
      return unknown(std::string(name) + " " + std::to_string(immediate), 32, words);
    };
    switch (inst.op) {
      case Op::fetch:
        return fetch(inst, o);
      case Op::store_parameter: {
        const z3::expr start = resize(o[2][0], kPlaceBits) + number(c_, uint64_t{16} * which, kPlaceBits);
        const Formulas place = {joined_words(o[0]), o[1][0], start};
        for (unsigned i = 0; i < 4; ++i) {
          Event event{"store buffer 32", further(place, 4 * i)};
          event.words.push_back(o[3][i]);
          here().events.push_back(event);
        }
        return {};
      }
      case Op::allocate_exports:
        here().events.push_back({"message 9", {o[0][0]}});
        return {};
      case Op::interpolate:
        return {call("p_interpolate_j", which, {o[0][0], o[2][0], call("p_interpolate_i", which, {o[0][0], o[1][0]})})};
      case Op::parameter:
        return {call("p_parameter", which, {o[0][0]})};
      case Op::load_parameter:
        return {call("p_load_parameter", which, {o[0][0]})};
      case Op::interpolate_quad:
        return {call("v_interp_p2_f32_reg", 0,
                     {o[0][0], o[2][0], call("v_interp_p10_f32", 0, {o[0][0], o[1][0], o[0][0]})})};
      case Op::pack_export:
        return pack_export(inst, o[0][0], o[1][0]);
      default:
        return no_formula(inst);
    }
  }

  Formulas fetch(const Inst& inst, const std::vector<Formulas>& o) {
    const ir::FetchAccess access = ir::FetchAccess::unpack(inst.imm);
    const Formulas place = {joined_words(o[0]), o[1][0], number(c_, access.offset, kPlaceBits)};
    const std::string memory = "buffer that nobody writes";
    Formulas words;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      words.push_back(
          access.format == 0
              ? loaded(memory, 32, further(place, 4 * i))
              : loaded(memory + " format " + std::to_string(access.format) + "." + std::to_string(i), 32, place));
    }
    return move_formula(Op::bitcast, inst.type, 0, {words});
  }

  Formulas pack_export(const Inst& inst, const z3::expr& low, const z3::expr& high) {
    const auto kind = static_cast<ir::PackKind>(inst.imm);
    const auto half = [&](const z3::expr& word) -> z3::expr {
      const auto limit = [&](uint32_t bits) { return number(c_, bits, 32); };
      switch (kind) {
        case ir::PackKind::half:
          return float_call("cvt_rtz_f16", 16, {word}, false);
        case ir::PackKind::unorm16:
          return float_call("cvt_norm_u16", 16, {word}, false);
        case ir::PackKind::snorm16:
          return float_call("cvt_norm_i16", 16, {word}, false);
        case ir::PackKind::uint16:
          return z3::ite(z3::ult(word, limit(0xffff)), word, limit(0xffff)).extract(15, 0);
        default: {
          const z3::expr below = z3::ite(z3::slt(word, limit(0x7fff)), word, limit(0x7fff));
          return z3::ite(z3::sgt(below, limit(0xffff8000)), below, limit(0xffff8000)).extract(15, 0);
        }
      }
    };
    return {z3::concat(half(high), half(low))};
  }

  Formulas exported(Value value) {
    const ir::ExportAccess access = ir::ExportAccess::unpack(f_.inst(value).imm);
    Event event{"export " + std::to_string(access.target) + " mask " + std::to_string(access.mask) +
                    (access.done ? " done" : "") + (access.compressed ? " compressed" : "") +
                    (access.valid_mask ? " valid_mask" : ""),
                {}};
    for (const Value operand : f_.operands(value)) event.words.push_back(use(operand)[0]);
    here().events.push_back(event);
    return {};
  }

  z3::context& c_;
  Inputs& inputs_;
  const ir::Module& module_;
  const ir::Function& f_;
  const SourceFacts& facts_;
  const z3::expr lane_;
  std::vector<Formulas> values_;
  std::vector<unsigned> place_;
  std::map<uint64_t, std::pair<z3::expr, z3::expr>> products_;  ///< the factors of each, by component
  unsigned number_ = 0;                                         ///< of the block at work
  z3::expr own_ = c_.bool_val(true);                            ///< what the operation at work promises
  SourceBlocks result_;
};

}  // namespace

SourceBlocks encode_source_blocks(z3::context& context, Inputs& inputs, const ir::Module& module,
                                  const SourceFacts& facts) {
  return Blocks(context, inputs, module, facts).run();
}

}  // namespace spalt::prove
