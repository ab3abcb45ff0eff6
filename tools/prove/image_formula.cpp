// SPDX-License-Identifier: MIT
#include "image_formula.h"

#include <algorithm>
#include <array>

namespace spalt::prove {

using ir::ImageDim;
using ir::Op;

namespace {

/// The dwords of words that follow each other.
void append_dwords(Formulas& dwords, const z3::expr& word) {
  const unsigned bits = word.get_sort().bv_size();
  for (unsigned first = 0; first < bits; first += 32) {
    dwords.push_back(word.extract(std::min(first + 32, bits) - 1, first).simplify());
  }
}

bool is_zero_level(const z3::expr& word) {
  const z3::expr simple = word.simplify();
  return simple.is_numeral() && (simple.get_numeral_uint64() & 0x7fffffff) == 0;
}

/// What a sample says of its level and operands, in the order of the mnemonic.
struct Sample {
  bool compares = false, has_gradients = false, has_level = false, has_bias = false, is_base = false, clamps = false,
       has_offset = false, half_gradients = false;

  /// A level of zero is the base level, and needs no operand.
  void simplify(Formulas& address) {
    if (!has_level || !is_zero_level(address.back())) return;
    has_level = false;
    is_base = true;
    address.pop_back();
  }
  std::string text() const {
    return std::string(compares ? " c" : "") + (has_gradients ? " d" : "") + (has_level ? " l" : "") +
           (has_bias ? " b" : "") + (is_base ? " lz" : "") + (clamps ? " cl" : "") + (has_offset ? " o" : "") +
           (half_gradients ? " g16" : "");
  }
};

/// Nothing if a part of the name is unknown.
std::optional<Sample> read_sample(std::string_view parts) {
  Sample sample;
  while (!parts.empty()) {
    parts.remove_prefix(1);  // _
    const std::string_view part = parts.substr(0, parts.find('_'));
    parts.remove_prefix(part.size());
    const std::array<std::pair<std::string_view, bool*>, 8> known = {{{"c", &sample.compares},
                                                                      {"d", &sample.has_gradients},
                                                                      {"l", &sample.has_level},
                                                                      {"b", &sample.has_bias},
                                                                      {"lz", &sample.is_base},
                                                                      {"cl", &sample.clamps},
                                                                      {"o", &sample.has_offset},
                                                                      {"g16", &sample.half_gradients}}};
    bool found = false;
    for (const auto& [name, is] : known) {
      if (name == part) *is = found = true;
    }
    if (!found) return std::nullopt;
  }
  return sample;
}

struct Shape {
  unsigned dimension = 0, mask = 0;
  bool a16 = false, d16 = false, is_sparse = false;
  std::string text() const {
    return " dimension " + std::to_string(dimension) + " mask " + std::to_string(mask) + (a16 ? " a16" : "") +
           (d16 ? " d16" : "") + (is_sparse ? " sparse" : "");
  }
};

/// DIM of the instruction; where there is none, whether layers are declared.
unsigned dimension_of(const ir::ImageAccess& access, bool has_dimension) {
  const bool layers = access.arrayed();
  if (!has_dimension) return layers || access.dim == ImageDim::face ? 1 : 0;
  switch (access.dim) {
    case ImageDim::d1:
      return layers ? 4 : 0;
    case ImageDim::d2:
      return (layers ? 5 : 1) + (access.multisampled() ? (layers ? 2 : 5) : 0);
    case ImageDim::d3:
      return 2;
    default:
      return 3;
  }
}

constexpr std::array<std::pair<std::string_view, ir::AtomicKind>, 14> kAtomics = {
    {{"swap", ir::AtomicKind::exchange},
     {"cmpswap", ir::AtomicKind::compare_exchange},
     {"add", ir::AtomicKind::add},
     {"sub", ir::AtomicKind::sub},
     {"smin", ir::AtomicKind::smin},
     {"smax", ir::AtomicKind::smax},
     {"umin", ir::AtomicKind::umin},
     {"umax", ir::AtomicKind::umax},
     {"and", ir::AtomicKind::bit_and},
     {"or", ir::AtomicKind::bit_or},
     {"xor", ir::AtomicKind::bit_xor},
     {"add_flt", ir::AtomicKind::fadd},
     {"fmin", ir::AtomicKind::fmin},
     {"fmax", ir::AtomicKind::fmax}}};

}  // namespace

std::optional<ImageFormula> image_instruction(std::string_view name, const isa::Modifiers& m, bool has_dimension,
                                              const Formulas& uses) {
  if (!name.starts_with("image_")) return std::nullopt;
  name.remove_prefix(6);
  ImageFormula formula;
  size_t next = 0;
  Formulas data, address;
  formula.is_atomic = name.starts_with("atomic_");
  formula.stores = name.starts_with("store");
  formula.loads = !formula.is_atomic && !formula.stores && name != "get_lod";
  if (formula.is_atomic || formula.stores) append_dwords(data, uses[next++]);
  const z3::expr& first = uses[next++];
  formula.words.push_back(uses[next++]);
  const bool samples = name.starts_with("sample") || name.starts_with("gather4") || name == "get_lod";
  if (samples) formula.words.push_back(uses[next++]);
  append_dwords(address, first);
  for (; next < uses.size(); ++next) append_dwords(address, uses[next]);
  Shape shape{has_dimension ? m.dim : (m.declare_array ? 1u : 0u), m.dmask, m.a16, m.d16, m.tfe};
  if (name == "load" || name == "store" || name == "load_mip" || name == "store_mip" || name == "get_lod") {
    formula.what = name;
  } else if (formula.is_atomic) {
    formula.what = name;
  } else if (samples) {
    const bool gathers = name.starts_with("gather4");
    std::optional<Sample> sample = read_sample(name.substr(gathers ? 7 : 6));
    if (!sample) return std::nullopt;
    if (!m.a16) sample->simplify(address);
    formula.what = (gathers ? "gather4" : "sample") + sample->text();
  } else {
    return std::nullopt;
  }
  formula.what = "image " + formula.what + shape.text();
  formula.words.insert(formula.words.end(), address.begin(), address.end());
  formula.words.insert(formula.words.end(), data.begin(), data.end());
  return formula;
}

ImageFormula image_operation(Op op, const ir::ImageAccess& access, bool has_dimension,
                             std::span<const Formulas> operands) {
  const ir::ImageOperands at = ir::image_operands(op, access);
  ImageFormula formula;
  Formulas data, address;
  formula.words.push_back(joined_words(operands[0]));
  if (ir::uses_sampler(op)) formula.words.push_back(joined_words(operands[1]));
  for (unsigned i = 0; i < at.address_count(); ++i) append_dwords(address, joined_words(operands[at.address + i]));
  for (unsigned i = 0; i < at.data_count; ++i) append_dwords(data, joined_words(operands[at.data + i]));
  Shape shape{dimension_of(access, has_dimension), access.mask, access.half_address(), access.half_texel(),
              access.sparse()};
  formula.is_atomic = op == Op::image_atomic;
  formula.stores = op == Op::image_store;
  formula.loads = op == Op::image_load || op == Op::image_sample || op == Op::image_gather;
  const bool has_lod = access.has(ir::kImageLod);
  switch (op) {
    case Op::image_load:
    case Op::image_store:
      formula.what = std::string(op == Op::image_load ? "load" : "store") + (has_lod ? "_mip" : "");
      break;
    case Op::image_atomic:
      for (const auto& [name, kind] : kAtomics) {
        if (kind == access.atomic) formula.what = "atomic_" + std::string(name);
      }
      shape.mask = (1u << data.size()) - 1;
      break;
    case Op::image_query_lod:
      formula.what = "get_lod";
      shape.mask = 3;
      break;
    default: {
      Sample sample;
      sample.compares = access.has(ir::kImageCompare);
      sample.has_gradients = access.has(ir::kImageGradients);
      sample.has_bias = access.has(ir::kImageBias);
      sample.has_level = has_lod;
      sample.clamps = access.has(ir::kImageMinLod);
      sample.has_offset = access.has(ir::kImageOffset);
      sample.half_gradients = access.half_gradients();
      sample.is_base = access.has(ir::kImageBaseLevel) || op == Op::image_gather;
      // Of halves the level is not a word of its own.
      if (!access.half_address()) sample.simplify(address);
      formula.what = (op == Op::image_gather ? "gather4" : "sample") + sample.text();
    }
  }
  formula.what = "image " + formula.what + shape.text();
  formula.words.insert(formula.words.end(), address.begin(), address.end());
  formula.words.insert(formula.words.end(), data.begin(), data.end());
  return formula;
}

}  // namespace spalt::prove
