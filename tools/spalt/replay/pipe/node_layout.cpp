// SPDX-License-Identifier: MIT
#include "replay/pipe/node_layout.h"

#include <algorithm>

#include "replay/pipe/sections.h"

namespace spalt_tool::replay::pipe {
namespace {

constexpr uint32_t kDword = 4;
constexpr uint32_t kBufferDwords = 4, kImageDwords = 8, kSamplerDwords = 4;
/// Far above what devices have: whatever a file says, no product of its numbers overflows.
constexpr uint32_t kMaxTableDwords = 1u << 28;

class NodeLayout {
 public:
  NodeLayout(const PipeState& state, uint32_t visibility, uint32_t max_entries, UserDataLayout& result,
             Problem& problem)
      : state_(state), visibility_(visibility), max_entries_(max_entries), result_(result), problem_(problem) {}

  bool lay_out() {
    return std::all_of(state_.nodes.begin(), state_.nodes.end(),
                       [this](const Node& node) { return !sees(node.visibility) || add_root(node); });
  }

 private:
  /// A mask of 0 is one that the file does not give: all see the node.
  bool sees(uint32_t visibility) const { return visibility == 0 || (visibility & visibility_) != 0; }
  bool add_root(const Node& node);
  bool add_push_constants(const Node& node);
  bool add_root_buffer(const Node& node);
  bool add_table(const Node& table);
  bool add_in_table(const Node& table, const Node& node);
  bool add_resource(const Node& table, const Node& node);
  bool add_elements(const Node& node, uint32_t entry, uint32_t kind, uint32_t dwords);
  bool add_combined(const Node& node, uint32_t entry);
  void place(const Node& node, uint32_t kind, uint32_t entry, uint32_t offset_dwords, uint32_t stride_dwords,
             uint32_t count);
  /// Null when the pipeline layout does not fix the descriptor.
  const FixedDescriptor* find_fixed(const Node& node) const;
  bool has_entries(const Node& node, uint32_t dwords);
  bool refuse(const Node& node, const char* where);

  const PipeState& state_;
  uint32_t visibility_;
  uint32_t max_entries_;
  UserDataLayout& result_;
  Problem& problem_;
};

bool NodeLayout::refuse(const Node& node, const char* where) {
  return fail(problem_, Cause::unsupported,
              std::string("a node of type ") + node_type_name(node.type) + " " + where + " is not supported");
}

bool NodeLayout::has_entries(const Node& node, uint32_t dwords) {
  const uint64_t end = uint64_t{node.offset_dwords} + dwords;
  return end <= max_entries_ || fail(problem_, Cause::unsupported,
                                     "the resource mapping needs " + std::to_string(end) + " user-data entries of " +
                                         std::to_string(max_entries_));
}

bool NodeLayout::add_root(const Node& node) {
  switch (node.type) {
    case NodeType::table:
      return has_entries(node, 1) && add_table(node);
    case NodeType::push_constants:
      return add_push_constants(node);
    case NodeType::buffer:
    case NodeType::const_buffer:
      return add_root_buffer(node);
    case NodeType::vertex_buffers:
    case NodeType::stream_out:
      return true;
    case NodeType::none:
      return fail_at(problem_, node.line, "the node has no type");
    default:
      return refuse(node, "in user data");
  }
}

bool NodeLayout::add_push_constants(const Node& node) {
  if (!has_entries(node, node.size_dwords)) return false;
  if (result_.push_constant_dwords != 0) {
    return fail(problem_, Cause::unsupported, "a stage that sees two nodes of push constants is not supported");
  }
  result_.push_constant_entry = node.offset_dwords;
  result_.push_constant_dwords = node.size_dwords;
  return true;
}

bool NodeLayout::add_root_buffer(const Node& node) {
  const uint32_t count = std::max(node.size_dwords / kBufferDwords, 1u);
  if (!has_entries(node, node.size_dwords)) return false;
  place(node, SPALT_BINDING_USER_DATA_BUFFER, node.offset_dwords, 0, 0, count);
  return true;
}

bool NodeLayout::add_table(const Node& table) {
  return std::all_of(table.next.begin(), table.next.end(),
                     [&](const auto& item) { return add_in_table(table, item.second); });
}

/// Whether another node of the table has the same binding and this type.
bool has_sibling(const Node& table, const Node& node, NodeType type) {
  return std::any_of(table.next.begin(), table.next.end(), [&](const auto& item) {
    return item.second.type == type && item.second.set == node.set && item.second.binding == node.binding;
  });
}

bool NodeLayout::add_in_table(const Node& table, const Node& node) {
  const uint32_t entry = table.offset_dwords;
  if (std::max({node.offset_dwords, node.size_dwords, node.stride_dwords}) > kMaxTableDwords) {
    return fail_at(problem_, node.line, "a node of a table ends beyond 1 GiB");
  }
  switch (node.type) {
    case NodeType::buffer:
    case NodeType::const_buffer:
      return add_elements(node, entry, SPALT_BINDING_RAW_BUFFER, kBufferDwords);
    case NodeType::texel_buffer:
    case NodeType::const_texel_buffer:
      return add_elements(node, entry, SPALT_BINDING_TYPED_BUFFER, kBufferDwords);
    case NodeType::resource:
      return add_resource(table, node);
    case NodeType::image:
      return add_elements(node, entry, SPALT_BINDING_IMAGE, kImageDwords);
    case NodeType::sampler:
      return add_elements(node, entry, SPALT_BINDING_SAMPLER, kSamplerDwords);
    case NodeType::combined_texture:
      return add_combined(node, entry);
    case NodeType::inline_buffer:
      place(node, SPALT_BINDING_INLINE_DATA, entry, node.offset_dwords, 1, node.size_dwords * kDword);
      return true;
    case NodeType::is_mutable:
      // A place as each type that it may be; LLPC has no mutable combined ones.
      return add_elements(node, entry, SPALT_BINDING_RAW_BUFFER, kImageDwords) &&
             add_elements(node, entry, SPALT_BINDING_TYPED_BUFFER, kImageDwords) &&
             add_elements(node, entry, SPALT_BINDING_IMAGE, kImageDwords) &&
             add_elements(node, entry, SPALT_BINDING_SAMPLER, kImageDwords);
    case NodeType::fmask:
      return has_sibling(table, node, NodeType::resource) || has_sibling(table, node, NodeType::image) ||
             has_sibling(table, node, NodeType::combined_texture) || refuse(node, "without its image");
    case NodeType::none:
      return fail_at(problem_, node.line, "the node has no type");
    default:
      return refuse(node, "in a table");
  }
}

/// An image with an fmask is multisampled: where a shader declares it together with a sampler, it cannot use that, and
/// the table does without.
bool NodeLayout::add_resource(const Node& table, const Node& node) {
  if (has_sibling(table, node, NodeType::fmask) &&
      !add_elements(node, table.offset_dwords, SPALT_BINDING_COMBINED_IMAGE_SAMPLER, kImageDwords)) {
    return false;
  }
  return add_elements(node, table.offset_dwords, SPALT_BINDING_IMAGE, kImageDwords);
}

bool NodeLayout::add_elements(const Node& node, uint32_t entry, uint32_t kind, uint32_t dwords) {
  const uint32_t stride = node.stride_dwords != 0 ? node.stride_dwords : dwords;
  place(node, kind, entry, node.offset_dwords, stride, std::max(node.size_dwords / stride, 1u));
  return problem_.cause == Cause::none;
}

bool NodeLayout::add_combined(const Node& node, uint32_t entry) {
  constexpr uint32_t kDwords = kImageDwords + kSamplerDwords;
  Node sampler = node;
  sampler.offset_dwords += kImageDwords;
  sampler.stride_dwords = node.stride_dwords != 0 ? node.stride_dwords : kDwords;
  return add_elements(node, entry, SPALT_BINDING_COMBINED_IMAGE_SAMPLER, kDwords) &&
         add_elements(node, entry, SPALT_BINDING_IMAGE, kDwords) &&
         add_elements(sampler, entry, SPALT_BINDING_SAMPLER, kDwords);
}

const FixedDescriptor* NodeLayout::find_fixed(const Node& node) const {
  for (const FixedDescriptor& fixed : state_.fixed) {
    if (!sees(fixed.visibility)) continue;
    if (fixed.set == node.set && fixed.binding == node.binding) return &fixed;
  }
  return nullptr;
}

void NodeLayout::place(const Node& node, uint32_t kind, uint32_t entry, uint32_t offset_dwords, uint32_t stride_dwords,
                       uint32_t count) {
  spalt_binding_location location{};
  location.set = node.set;
  location.binding = node.binding;
  location.count = count;
  location.user_data_entry = entry;
  location.offset = offset_dwords * kDword;
  location.stride = kind == SPALT_BINDING_INLINE_DATA ? 1 : stride_dwords * kDword;
  location.kind = kind;
  const bool has_sampler = kind == SPALT_BINDING_SAMPLER || kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
  if (const FixedDescriptor* fixed = has_sampler ? find_fixed(node) : nullptr) {
    if (fixed->type != NodeType::sampler && fixed->type != NodeType::combined_texture) {
      fail(problem_, Cause::unsupported,
           std::string("a fixed descriptor of type ") + node_type_name(fixed->type) + " is not supported");
    } else if (fixed->words.size() < uint64_t{count} * kSamplerDwords) {
      fail_at(problem_, fixed->line, "a fixed sampler needs four words for each element of its binding");
    } else {
      location.immutable_samplers = fixed->words.data();
    }
  }
  result_.bindings.push_back(location);
}

}  // namespace

bool lay_out_nodes(const PipeState& state, uint32_t stage, uint32_t max_entries, UserDataLayout& result,
                   Problem& problem) {
  result = {};
  return NodeLayout(state, stage_bit(stage), max_entries, result, problem).lay_out();
}

}  // namespace spalt_tool::replay::pipe
