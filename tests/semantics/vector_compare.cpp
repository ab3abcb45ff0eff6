// SPDX-License-Identifier: MIT
// Comparisons of all types and conditions (RDNA 2 ISA guide, section 12.10; Vega ISA guide, section 12.10).
#include <memory>

#include "float_row.h"
#include "integer_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

/// The outcomes for which a condition holds: a set of the four orders.
enum Outcome : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

unsigned outcome(Order order) {
  constexpr unsigned kBits[] = {kLess, kEqual, kGreater, kUnordered};
  return kBits[static_cast<unsigned>(order)];
}

struct FloatCondition {
  const char* name;
  unsigned holds;
};
/// "n" stands for not: v_cmp_nge is true of unordered operands.
constexpr FloatCondition kFloatConditions[] = {
    {"f", 0},
    {"lt", kLess},
    {"eq", kEqual},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"lg", kLess | kGreater},
    {"ge", kGreater | kEqual},
    {"o", kLess | kEqual | kGreater},
    {"u", kUnordered},
    {"nge", kLess | kUnordered},
    {"nlg", kEqual | kUnordered},
    {"ngt", kLess | kEqual | kUnordered},
    {"nle", kGreater | kUnordered},
    {"neq", kLess | kGreater | kUnordered},
    {"nlt", kEqual | kGreater | kUnordered},
    {"tru", kLess | kEqual | kGreater | kUnordered},
};
constexpr FloatCondition kIntegerConditions[] = {
    {"f", 0},
    {"lt", kLess},
    {"eq", kEqual},
    {"le", kLess | kEqual},
    {"gt", kGreater},
    {"ne", kLess | kGreater},
    {"ge", kGreater | kEqual},
    {"t", kLess | kEqual | kGreater},
};

/// Close values are equal more often than two samples are.
std::function<uint64_t(unsigned, std::mt19937&)> related(const std::function<uint64_t(std::mt19937&)>& sample_one) {
  auto last = std::make_shared<uint64_t>(0);
  return [last, sample_one](unsigned, std::mt19937& random) {
    if (random() % 3 != 0) *last = sample_one(random);
    return random() % 4 == 0 ? *last + 1 : *last;
  };
}

void add_float(std::vector<Row>& rows, const std::string& prefix, const char* type, const FloatFormat& format) {
  for (const FloatCondition& condition : kFloatConditions) {
    const Op opcode = isa::find_opcode(prefix + condition.name + "_" + type);
    if (opcode == Op::invalid) continue;
    Row row{opcode, [format, holds = condition.holds](const Lane& in) {
              Result result;
              result.bit =
                  (outcome(compare(float_input(in.a, in, format), float_input(in.b, in, format))) & holds) != 0;
              return result;
            }};
    row.inputs = related([format](std::mt19937& random) { return sample(format, random); });
    rows.push_back(row);
  }
}

Order order_of(uint64_t a, uint64_t b, unsigned bits, bool is_signed) {
  // The top bit of signed numbers stands for a negative power of two: flipping it makes them unsigned.
  const uint64_t top = uint64_t{1} << (bits - 1), mask = top | (top - 1);
  a = (a & mask) ^ (is_signed ? top : 0);
  b = (b & mask) ^ (is_signed ? top : 0);
  return a < b ? Order::less : a == b ? Order::equal : Order::greater;
}

void add_integer(std::vector<Row>& rows, const std::string& prefix, const char* type, unsigned bits, bool is_signed) {
  for (const FloatCondition& condition : kIntegerConditions) {
    const Op opcode = isa::find_opcode(prefix + condition.name + "_" + type);
    if (opcode == Op::invalid) continue;
    Row row{opcode, [bits, is_signed, holds = condition.holds](const Lane& in) {
              Result result;
              result.bit = (outcome(order_of(in.a, in.b, bits, is_signed)) & holds) != 0;
              return result;
            }};
    row.inputs = related([](std::mt19937& random) {
      const uint64_t wide = random() | static_cast<uint64_t>(random()) << 32;
      return random() % 4 == 0 ? wide & 0x8000000080008000u : wide;
    });
    rows.push_back(row);
  }
}

/// Source 1 is a set of classes, one bit each from signaling NaN to positive infinity.
void add_class(std::vector<Row>& rows, const std::string& prefix, const char* type, const FloatFormat& format) {
  const Op opcode = isa::find_opcode(prefix + "class_" + type);
  Row row{opcode, [format](const Lane& in) {
            const uint64_t x = in.a & (format.sign_bit() | (format.sign_bit() - 1));
            const bool negative = (x & format.sign_bit()) != 0;
            unsigned index = 0;
            if (format.is_nan(x)) {
              index = format.is_signaling(x) ? 0 : 1;
            } else if (format.magnitude(x) == format.infinity()) {
              index = negative ? 2 : 9;
            } else if (format.is_denormal(x)) {
              index = negative ? 4 : 7;
            } else if (format.magnitude(x) == 0) {
              index = negative ? 5 : 6;
            } else {
              index = negative ? 3 : 8;
            }
            Result result;
            result.bit = (in.b >> index & 1) != 0;
            return result;
          }};
  row.inputs = [format](unsigned source, std::mt19937& random) -> uint64_t {
    return source == 0 ? sample(format, random) : random();
  };
  rows.push_back(row);
}

}  // namespace

void add_vector_compare(Proofs& proofs) {
  std::vector<Row> rows;
  for (const std::string prefix : {"v_cmp_", "v_cmpx_"}) {
    const struct {
      const char* name;
      FloatFormat format;
    } floats[] = {{"f16", kF16}, {"f32", kF32}, {"f64", kF64}};
    for (const auto& type : floats) {
      add_float(rows, prefix, type.name, type.format);
      add_class(rows, prefix, type.name, type.format);
    }
    add_integer(rows, prefix, "i16", 16, true);
    add_integer(rows, prefix, "u16", 16, false);
    add_integer(rows, prefix, "i32", 32, true);
    add_integer(rows, prefix, "u32", 32, false);
    add_integer(rows, prefix, "i64", 64, true);
    add_integer(rows, prefix, "u64", 64, false);
  }
  add_vector_rows(proofs, rows);
}

}  // namespace spalt::semantics
