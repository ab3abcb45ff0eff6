// SPDX-License-Identifier: MIT
// The words: their layout is one instruction after another, each an operation (16 bits), its type (8) and the number of
// its operands (8); flags; two words of immediate; the operands, as numbers of earlier instructions. Constants are
// instructions as well. Reading checks numbers and counts; whether the code makes sense is the verifier's to say.
#include "ir/vertex_work.h"

#include <string>

#include "base/vector.h"
#include "ir/interface.h"
#include "ir/verifier.h"

namespace spalt::ir {
namespace {

bool is_plain(Type type) {
  return type == kBool || type == kI32 || type == kF32;
}

/// Of two or four bytes: what a component of a location has.
bool is_component(Type type) {
  return !type.is_vector() && (type.is_float() || type.is_integer()) && (type.bits() == 16 || type.bits() == 32);
}

bool is_location(const Inst& inst) {
  return InterfaceAccess::unpack(inst.imm).semantic == Semantic::location;
}

Error bad(std::string what) {
  return {Status::invalid_input, "the work for the vertices " + std::move(what)};
}

constexpr unsigned kFixedWords = 4;

/// Reads words one after another; nothing but zeros after their end.
class WordReader {
 public:
  explicit WordReader(std::span<const uint32_t> words) : rest_(words) {}
  size_t left() const { return rest_.size(); }
  uint32_t next() {
    const uint32_t word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }

 private:
  std::span<const uint32_t> rest_;
};

}  // namespace

bool may_be_vertex_work(const Function& function, Value value) {
  const Inst& inst = function.inst(value);
  switch (group(inst.op)) {
    case OpGroup::move:
      if (inst.op != Op::select && inst.op != Op::bitcast) return false;
      break;
    case OpGroup::integer:
    case OpGroup::integer_compare:
    case OpGroup::floating:
    case OpGroup::float_compare:
    case OpGroup::integer_convert:
    case OpGroup::float_convert:
      break;
    default:
      return false;
  }
  if (!is_plain(inst.type)) return false;
  for (Value operand : function.operands(value)) {
    if (!is_plain(function.type(operand)) || function.inst(operand).op == Op::undef) return false;
  }
  return true;
}

Result<void> check_vertex_work(const Function& work) {
  if (work.layout().size() != 1 || !work.params.empty()) return bad("is more than one block");
  for (Value value : insts(work, work.entry())) {
    const Inst& inst = work.inst(value);
    const bool is_input = inst.op == Op::input, is_output = inst.op == Op::output;
    if (is_input || is_output) {
      const Type type = is_input ? inst.type : work.type(work.operand(value, 0));
      if (!is_location(inst) || !is_component(type)) return bad("exchanges what is no component of a location");
    } else if (inst.op != Op::ret && !may_be_vertex_work(work, value)) {
      return bad("has an operation that it cannot have, " + std::string(info(inst.op).name));
    }
  }
  return {};
}

VertexWorkWords pack_vertex_work(const Function& work) {
  VertexWorkWords words;
  if (work.layout().empty()) return words;
  IdMap<Value, uint32_t> numbers(work.value_capacity(), 0);  // one more than the number; 0: none yet
  uint32_t count = 0;
  const auto put = [&](Value value) {
    const Inst& inst = work.inst(value);
    words.push_back(static_cast<uint32_t>(inst.op) | static_cast<uint32_t>(inst.type.scalar) << 16 |
                    inst.operand_count << 24);
    words.push_back(inst.flags);
    words.push_back(static_cast<uint32_t>(inst.imm));
    words.push_back(static_cast<uint32_t>(inst.imm >> 32));
    for (Value operand : work.operands(value)) words.push_back(numbers[operand] - 1);
    numbers[value] = ++count;
  };
  for (Value value : insts(work, work.entry())) {
    if (is_terminator(work.inst(value).op)) break;
    for (Value operand : work.operands(value)) {
      if (numbers[operand] == 0) put(operand);
    }
    put(value);
  }
  return words;
}

Result<Function> unpack_vertex_work(std::span<const uint32_t> words, Arena* arena) {
  Module module(arena);
  module.shader = VertexFacts();
  Function& work = module.add_function();
  work.name = "vertex_work";
  const BlockId block = work.create_block();
  work.edit_layout().push_back(block);
  SmallVector<Value, 16> values;
  WordReader reader(words);
  while (reader.left() != 0) {
    if (reader.left() < kFixedWords) return bad("ends within an instruction");
    const uint32_t first = reader.next(), flags = reader.next(), low = reader.next(), high = reader.next();
    const uint32_t op = first & 0xffff, scalar = first >> 16 & 0xff, operand_count = first >> 24;
    if (op >= static_cast<uint32_t>(Op::count) || scalar >= static_cast<uint32_t>(Scalar::resource)) {
      return bad("has an unknown operation");
    }
    if (operand_count > reader.left()) return bad("ends within an instruction");
    if (values.size() == kMaxVertexWork) return bad("is too long");
    SmallVector<Value, 4> operands;
    for (uint32_t i = 0; i < operand_count; ++i) {
      const uint32_t number = reader.next();
      if (number >= values.size() || work.type(values[number]).is_none()) return bad("takes an operand from nowhere");
      operands.push_back(values[number]);
    }
    const Type type{static_cast<Scalar>(scalar)};
    const uint64_t imm = uint64_t{high} << 32 | low;
    const auto operation = static_cast<Op>(op);
    if (operation == Op::constant) {
      if (!is_plain(type) || operand_count != 0) return bad("has a constant that it cannot have");
      values.push_back(work.constant(type, imm));
      continue;
    }
    if (is_free_value(operation)) return bad("has an unknown operation");
    const Value value = work.create(operation, type, operands.span(), imm, static_cast<uint16_t>(flags));
    work.append(block, value);
    values.push_back(value);
  }
  work.append(block, work.create(Op::ret, kVoid, {}));
  if (Result<void> fine = check_vertex_work(work); !fine) return fine.error();
  if (Result<void> fine = verify(module); !fine) return bad("is not valid: " + fine.error().message);
  return std::move(work);
}

}  // namespace spalt::ir
