// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "litmus_test.h"

namespace spalt::litmus {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

[[noreturn]] void bad(const std::string& what) {
  throw std::runtime_error("litmus test: " + what);
}

template <size_t N>
unsigned index_in(const char* const (&names)[N], const std::string& name) {
  for (unsigned i = 0; i < N; ++i) {
    if (name == names[i]) return i;
  }
  bad("\"" + name + "\" is not known");
}

constexpr const char* kOrders[] = {"plain", "own", "coh", "rlx", "acq", "rel", "ar", "sc"};
constexpr const char* kKinds[] = {"W", "R", "A", "U", "S", "F", "B", "P"};
constexpr const char* kVariables[] = {"x", "y", "z", "v", "s", "w", "t"};

Operation parse_operation(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  const auto next = [&] {
    if (!(words >> word)) bad("\"" + text + "\" is incomplete");
    return word;
  };
  Operation op{static_cast<OperationKind>(index_in(kKinds, next()))};
  if (op.kind == OperationKind::barrier) return op;
  if (op.kind != OperationKind::fence) op.variable = static_cast<uint8_t>(index_in(kVariables, next()));
  if (op.kind == OperationKind::touch) return op;
  if (op.kind == OperationKind::store || op.kind == OperationKind::update) {
    op.value = static_cast<uint32_t>(std::stoul(next()));
  }
  op.order = static_cast<Order>(index_in(kOrders, next()));
  if (op.kind == OperationKind::load || op.kind == OperationKind::returning_update) {
    if (next()[0] != 'r') bad("expected a result in \"" + text + "\"");
    op.result = static_cast<uint8_t>(std::stoul(word.substr(1)));
  }
  return op;
}

Condition parse_condition(const std::string& text) {
  const size_t equals = text.find_first_of("=!");
  if (equals == std::string::npos) bad("expected '=' or '!' in \"" + text + "\"");
  const std::string name = text.substr(0, equals);
  const unsigned slot =
      name[0] == 'r' ? static_cast<unsigned>(std::stoul(name.substr(1))) : kResults + index_in(kVariables, name);
  if (slot >= Outcome().size()) bad("the final value of \"" + name + "\" is not known");
  return {slot, static_cast<uint32_t>(std::stoul(text.substr(equals + 1))), text[equals] == '='};
}

}  // namespace

Program parse(const Test& test) {
  Program program;
  for (const std::string& thread : split(test.threads, '|')) {
    program.threads.emplace_back();
    for (const std::string& operation : split(thread, ';')) {
      program.threads.back().push_back(parse_operation(operation));
    }
  }
  std::istringstream words(test.outcome);
  for (std::string word; words >> word;) program.condition.push_back(parse_condition(word));
  return program;
}

namespace {

template <class Matches>
bool any_operation(const Program& program, Matches matches) {
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const std::vector<Operation>& thread) {
    return std::any_of(thread.begin(), thread.end(), matches);
  });
}

bool accesses(const Operation& op) {
  return op.kind != OperationKind::fence && op.kind != OperationKind::barrier;
}

}  // namespace

bool Program::uses_shared() const {
  return any_operation(*this, [](const Operation& op) { return is_shared(op.variable); });
}

bool Program::has_order(Order order) const {
  return any_operation(*this, [order](const Operation& op) { return op.order == order; });
}

bool Program::is_data(unsigned variable) const {
  return !any_operation(*this, [variable](const Operation& op) {
    const bool update = op.kind == OperationKind::update || op.kind == OperationKind::returning_update;
    return accesses(op) && op.variable == variable && (update || is_atomic(op.order));
  });
}

const Cells& Program::cells_of(unsigned variable, const Variant& variant) const {
  return is_data(variable) ? variant.data : variant.flags;
}

bool Program::depends_on(const Variant& variant) const {
  const bool neighbours = any_operation(
      *this, [](const Operation& op) { return accesses(op) && (op.variable == kBehindX || op.variable == kBehindS); });
  if (neighbours) return variant.data.bits < 32;
  constexpr Cells kUsual;
  const auto differs = [&](const Cells& cells, bool data) {
    return any_operation(*this, [&, data](const Operation& op) {
      if (!accesses(op) || is_data(op.variable) != data) return false;
      const bool shared_differ = cells.bits != kUsual.bits && !cells.has_texels();
      return is_shared(op.variable) ? shared_differ : cells != kUsual;
    });
  };
  const bool has_data = any_operation(
      *this, [&](const Operation& op) { return accesses(op) && !is_shared(op.variable) && is_data(op.variable); });
  if (variant.data == variant.flags) {
    return variant.data == kUsual || differs(variant.data, true) || differs(variant.flags, false);
  }
  return (variant.data == kUsual || differs(variant.data, true)) &&
         (variant.flags == kUsual || (differs(variant.flags, false) && has_data));
}

bool Program::matches(const Outcome& outcome) const {
  return std::all_of(condition.begin(), condition.end(),
                     [&](const Condition& part) { return (outcome[part.slot] == part.value) == part.equal; });
}

}  // namespace spalt::litmus
