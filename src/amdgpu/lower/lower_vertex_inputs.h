// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: what a vertex shader knows of its vertex.
#pragma once
#include <array>

#include "amdgpu/abi/vertex_format.h"
#include "amdgpu/abi/vertex_interface.h"
#include "amdgpu/lower/entry_registers.h"
#include "amdgpu/lower/lower_module.h"
#include "ir/interface.h"

namespace spalt::lower {

/// What the state says of a location; null: nothing.
const abi::VertexAttribute* find_attribute(const abi::GraphicsState& state, uint32_t location);

/// "location_0_x".
ShortName attribute_name(unsigned location, unsigned component);

/// Components of each location that are read.
using UsedComponents = std::array<uint8_t, ir::kMaxLocations>;

/// Collects which registers the built-ins and attributes of a vertex shader need. Fails for formats that no attribute
/// can have.
class VertexInputFinder {
 public:
  VertexInputFinder(const ir::Module& module, const LowerConfig& config)
      : function_(module.functions[0]), config_(config) {}

  Result<void> visit(ir::Value value);
  Result<void> visit_attribute(const ir::InterfaceAccess& access, ir::Type type);
  /// Of a body: what its prolog brings.
  abi::VertexSeam seam() const;
  const abi::VertexNeeds& needs() const { return needs_; }
  abi::VertexNeeds& needs() { return needs_; }
  const UsedComponents& used() const { return used_; }

 private:
  void visit_builtin(ir::BuiltIn builtin);

  const ir::Function& function_;
  const LowerConfig& config_;
  abi::VertexNeeds needs_;
  UsedComponents used_{};
  std::array<bool, ir::kMaxLocations> integer_{};  ///< of the last component
};

/// Replaces built-ins by entry registers and sums of them, attributes by fetches. All fetches stand together at the
/// start of the shader, so that one wait serves them all.
class VertexInputRewriter {
 public:
  VertexInputRewriter(const UsedComponents& used, const LowerConfig& config, EntryRegisters& entry, Inserter& insert,
                      Arena& scratch)
      : used_(used), config_(config), entry_(entry), insert_(insert), components_(scratch, 4 * used.size()) {}

  /// Fetches the attributes in front of `position`.
  void fetch_attributes(ir::Value position);
  /// Takes them from where the prolog leaves them.
  void take_attributes(const abi::VertexSeam& seam, unsigned first_vgpr);
  /// One component of what was fetched or taken.
  ir::Value attribute(const ir::InterfaceAccess& access, ir::Type type);
  /// What stands for the instruction from now on; none when it stays.
  ir::Value rewrite(const ir::Inst& inst);

 private:
  /// Attributes that count alike have one index.
  struct Index {
    bool per_instance;
    uint32_t divisor;
    ir::Value value;
  };
  struct Descriptor {
    uint32_t binding;
    ir::Value value;
  };

  ir::Value vertex_index();
  ir::Value instance_index();
  ir::Value user_value(const char* name, uint32_t content);
  ir::Value index_of(const abi::VertexAttribute& attribute);
  ir::Value descriptor_of(uint32_t binding);
  void fetch(uint32_t location, const abi::VertexAttribute& attribute);

  const UsedComponents& used_;
  const LowerConfig& config_;
  EntryRegisters& entry_;
  Inserter& insert_;
  Vector<ir::Value> components_;  ///< by location and component, bits; none: what an attribute has without
  SmallVector<Index, 4> indices_;
  SmallVector<Descriptor, 8> descriptors_;
};

}  // namespace spalt::lower
