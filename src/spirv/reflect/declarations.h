// SPDX-License-Identifier: MIT
// Internal to src/spirv/reflect: the part of a module before its functions as tables.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/vector.h"
#include "spirv/module/words.h"
#include "spirv/reflect/reflect.h"

namespace spalt::spirv {

/// One type. What it is made of is declared before it, apart from pointers, so that all that depends on nested types is
/// computed as types come: nothing here walks a nest, which hostile modules make deep and share.
struct DeclaredType {
  enum class Kind : uint8_t {
    none,
    boolean,
    integer,
    floating,
    vector,
    matrix,
    array,
    runtime_array,
    structure,
    image,
    sampler,
    sampled_image,
    acceleration_structure,
    pointer,
    other  ///< nothing that an interface is made of
  };
  Kind kind = Kind::none;
  bool is_signed = false;
  uint32_t bits = 0;     ///< of a scalar
  uint32_t count = 0;    ///< components, columns, elements, members
  uint32_t element = 0;  ///< id of the type of these, of components of texels; of what a pointer points to
  uint32_t words = 0;    ///< structures: word offset of the first member's type id
  uint32_t dimension = 0, sampled = 0;  ///< images: SpvDim, and 1 sampled, 2 storage
  uint32_t format = 0;                  ///< images: SpvImageFormat
  bool arrayed = false, multisampled = false;
  uint32_t base = 0;          ///< id of the type without arrays around it
  uint32_t total = 1;         ///< elements of all these arrays; 0: one of them is a runtime array
  uint32_t bytes = 0;         ///< from the start to the end, without a runtime array or pointers at the end
  uint32_t first_offset = 0;  ///< structures: the least offset of a member
};

struct DeclaredConstant {
  uint32_t id = 0, type = 0;
  uint64_t value = 0;         ///< with specialization
  uint64_t module_value = 0;  ///< what the module says
};

struct DeclaredVariable {
  uint32_t id = 0, type = 0, storage_class = 0;  ///< type: of the pointer
  uint32_t data_type = 0;                        ///< of what it points to, where that type does not say it
};

struct DeclaredEntryPoint {
  uint32_t model = 0, function = 0;
  std::string_view name;
  std::span<const uint32_t> interface;
};

/// Walks the words up to the first function. Decorations are kept sorted by what they decorate.
class Declarations {
 public:
  Declarations(std::span<const uint32_t> words, std::span<const Specialization> specialization, Arena& scratch)
      : entry_points(scratch),
        execution_modes(scratch),
        variables(scratch),
        spec_constants(scratch),
        capabilities(scratch),
        words_(words),
        specialization_(specialization),
        type_index_(scratch),
        constant_index_(scratch),
        types_(scratch),
        constants_(scratch),
        composites_(scratch),
        decorations_(scratch),
        group_(scratch),
        newest_(scratch),
        names_(scratch) {}

  enum class Names : uint8_t { wanted, unwanted };
  bool read(Names names = Names::wanted);
  const Error& error() const { return error_; }
  bool fail(Status status, std::string message);

  static constexpr uint32_t kWhole = 0xffffffffu;  ///< instead of a member
  bool has(uint32_t id, uint32_t decoration, uint32_t member = kWhole) const {
    return find(id, decoration, member) != nullptr;
  }
  /// First operand of the decoration, or kNotGiven.
  uint32_t argument(uint32_t id, uint32_t decoration, uint32_t member = kWhole) const;
  std::string_view name(uint32_t id) const;
  std::string_view member_name(uint32_t id, uint32_t member) const;
  const DeclaredType& type(uint32_t id) const { return types_[id < bound() ? type_index_[id] : 0]; }
  uint32_t member_type(const DeclaredType& structure, uint32_t member) const {
    return words_[structure.words + member];
  }
  /// The value of a scalar constant; false for others.
  bool constant(uint32_t id, uint64_t& value) const;

  uint32_t version() const { return words_[1]; }
  std::span<const uint32_t> words() const { return words_; }

  Vector<DeclaredEntryPoint> entry_points;
  Vector<Instruction> execution_modes;
  Vector<DeclaredVariable> variables;
  Vector<uint32_t> spec_constants;  ///< ids that have a SpecId
  Vector<uint32_t> capabilities;
  uint32_t workgroup_size_id = 0;  ///< the constant decorated so
  const DeclaredConstant& constant(uint32_t id) const { return constants_[constant_index_[id]]; }
  std::span<const uint32_t> constituents(uint32_t id) const;

 private:
  struct Decoration {
    uint32_t id, member, decoration, order, argument;
    uint32_t previous;  ///< index of the one before for the same id, kNotGiven: none
    auto operator<=>(const Decoration&) const = default;
  };
  struct Name {
    uint32_t id, member;
    std::string_view text;
  };
  struct Composite {
    uint32_t id;
    std::span<const uint32_t> parts;
  };

  bool read_header();
  bool read_instruction(const Instruction& in);
  bool read_entry_point(const Instruction& in);
  bool read_name(const Instruction& in, uint32_t member, uint32_t text_at);
  bool read_decoration(const Instruction& in);
  bool decorate(uint32_t id, uint32_t member, uint32_t decoration, uint32_t argument);
  bool copy_group(const Instruction& in);
  void sort_decorations();
  bool read_type(const Instruction& in);
  bool describe_type(const Instruction& in, DeclaredType& type);
  uint32_t bound() const { return type_index_.size(); }
  bool is_declared(uint32_t id) const { return type(id).kind != DeclaredType::Kind::none; }
  void add_constant(const DeclaredConstant& constant);
  bool finish_structure(uint32_t id, DeclaredType& type);
  bool read_constant(const Instruction& in);
  bool read_operation(const Instruction& in);
  uint32_t bits_of(uint32_t id) const;
  bool needs(const Instruction& in, uint32_t words);
  bool text_at(const Instruction& in, uint32_t first, std::string_view& text, uint32_t& next);
  const Decoration* find(uint32_t id, uint32_t decoration, uint32_t member) const;

  std::span<const uint32_t> words_;
  std::span<const Specialization> specialization_;
  Error error_;
  uint32_t at_ = 0;
  // By id, 0: none. The first type and the first constant stand for those that are not declared.
  Vector<uint32_t> type_index_, constant_index_;
  Vector<DeclaredType> types_;
  Vector<DeclaredConstant> constants_;
  Vector<Composite> composites_;  ///< sorted by id once all are read
  Vector<Decoration> decorations_;
  Vector<Decoration> group_;  ///< being applied
  size_t group_steps_ = 0;    ///< decorations of groups that were looked at
  Vector<uint32_t> newest_;   ///< by id: index of its last decoration
  bool sorted_ = false;
  Vector<Name> names_;
  bool wants_names_ = true;
};

}  // namespace spalt::spirv
