// SPDX-License-Identifier: MIT
#include <utility>

#include "replay/pipe/read_members.h"

namespace spalt_tool::replay::pipe {
namespace {

bool read_type(const Assignment& assignment, NodeType& type, Problem& problem) {
  type = find_node_type(assignment.value);
  if (type != NodeType::none) return true;
  return fail_at(problem, assignment.line, "there is no node type " + std::string(assignment.value));
}

/// A member of a node, or of one in its table: "next" may repeat. Tables in tables are refused later, where it is known
/// whether anybody sees them.
bool read_node_member(const Assignment& assignment, Node& root, Problem& problem) {
  const std::vector<Step>& path = assignment.path;
  Node* node = &root;
  if (node->line == 0) node->line = assignment.line;
  size_t at = 1;
  for (; at + 1 < path.size(); ++at) {
    if (path[at].name != "next") {
      return fail_at(problem, assignment.line, assignment.name() + ": a node has no such member");
    }
    node = &node->next[path[at].index];
    if (node->line == 0) node->line = assignment.line;
  }
  if (at == path.size()) return fail_at(problem, assignment.line, "a node is no value");
  if (path[at].name == "type") return read_type(assignment, node->type, problem);
  const std::pair<const char*, uint32_t Node::*> numbers[] = {{"visibility", &Node::visibility},
                                                              {"offsetInDwords", &Node::offset_dwords},
                                                              {"sizeInDwords", &Node::size_dwords},
                                                              {"strideInDwords", &Node::stride_dwords},
                                                              {"set", &Node::set},
                                                              {"binding", &Node::binding}};
  for (const auto& [name, member] : numbers) {
    if (path[at].name == name) return read_number(assignment, node->*member, problem);
  }
  return true;
}

bool read_words(const Assignment& assignment, std::vector<uint32_t>& words, Problem& problem) {
  const bool all = for_each_word(assignment.value, [&](std::string_view word) {
    int64_t number = 0;
    if (!parse_number(word, number) || number < INT32_MIN || number > UINT32_MAX) return false;
    words.push_back(static_cast<uint32_t>(number));
    return true;
  });
  return all || fail_at(problem, assignment.line, assignment.name() + " must be numbers of 32 bits");
}

bool read_fixed_member(const Assignment& assignment, FixedDescriptor& fixed, Problem& problem) {
  if (fixed.line == 0) fixed.line = assignment.line;
  const std::string_view name = assignment.path.size() == 2 ? assignment.path[1].name : std::string_view();
  if (name == "type") return read_type(assignment, fixed.type, problem);
  if (name == "uintData" || name == "intData") return read_words(assignment, fixed.words, problem);
  if (name == "visibility") return read_number(assignment, fixed.visibility, problem);
  if (name == "set") return read_number(assignment, fixed.set, problem);
  if (name == "binding") return read_number(assignment, fixed.binding, problem);
  if (name == "arraySize") return read_number(assignment, fixed.count, problem);
  return fail_at(problem, assignment.line, assignment.name() + ": a fixed descriptor has no such member");
}

}  // namespace

bool MappingReader::read(const Assignment& assignment, Problem& problem) {
  const Step& first = assignment.path.front();
  if (first.name == "userDataNode") return read_node_member(assignment, nodes[first.index], problem);
  if (first.name == "descriptorRangeValue") return read_fixed_member(assignment, fixed[first.index], problem);
  return true;
}

void MappingReader::finish(uint32_t visibility, PipeState& state) {
  for (auto& [index, node] : nodes) {
    if (visibility != 0) node.visibility = visibility;
    state.nodes.push_back(std::move(node));
  }
  for (auto& [index, descriptor] : fixed) {
    if (visibility != 0) descriptor.visibility = visibility;
    state.fixed.push_back(std::move(descriptor));
  }
  state.has_mapping |= !nodes.empty();
}

bool read_resource_mapping(const Section& section, PipeState& state, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  MappingReader mapping;
  for (const Assignment& assignment : assignments) {
    if (!mapping.read(assignment, problem)) return false;
  }
  mapping.finish(0, state);
  state.has_mapping = true;
  return true;
}

}  // namespace spalt_tool::replay::pipe
