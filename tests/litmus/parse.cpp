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

constexpr const char* kOrders[] = {"plain", "rlx", "acq", "rel", "ar", "sc"};
constexpr const char* kKinds[] = {"W", "R", "A", "U", "S", "F", "B", "P"};
constexpr const char* kVariables[] = {"x", "y", "z", "s", "t"};

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

bool Program::uses_shared() const {
  for (const std::vector<Operation>& thread : threads) {
    for (const Operation& op : thread) {
      if (op.variable >= kFirstShared) return true;
    }
  }
  return false;
}

bool Program::is_sequentially_consistent() const {
  for (const std::vector<Operation>& thread : threads) {
    for (const Operation& op : thread) {
      if (op.order == Order::seq_cst) return true;
    }
  }
  return false;
}

bool Program::matches(const Outcome& outcome) const {
  return std::all_of(condition.begin(), condition.end(),
                     [&](const Condition& part) { return (outcome[part.slot] == part.value) == part.equal; });
}

}  // namespace spalt::litmus
