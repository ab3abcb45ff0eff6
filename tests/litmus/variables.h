// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "litmus_test.h"
#include "random/spirv_builder.h"

namespace spalt::litmus {

/// Words from one line of variables to the next: more than a cache line. As an image, each has a row.
constexpr uint32_t kLineWords = 128;
/// The line before the first variable, so that byte offsets of variables are never those of results.
constexpr uint32_t kMemoryLines = 1 + kLines, kMemoryWords = kMemoryLines * kLineWords;
/// Words that a test only touches lie from here on in each line.
constexpr uint32_t kFirstTouchedWord = 3;

/// Bindings of set 0.
enum Binding : uint32_t {
  kDataBinding,
  kResultBinding,
  kFlagBinding,   ///< where flags are not what data are
  kTouchBinding,  ///< the same memory as words, or pairs of them: what is beside variables
  kAddressBinding,
  kBindingCount
};

/// Bytes from the start of the memory to a variable that is not shared.
uint32_t variable_offset(unsigned variable, const Cells& cells);
/// Whether the words beside variables are not loaded as variables are: images have pairs of words for that, and
/// coherent loads would go past the caches.
bool touches_apart(const Program& program, const Variant& variant);

/// Writes the accesses of a test to its variables.
class Variables {
 public:
  using Id = random_programs::Id;

  Variables(const Program& program, const Variant& variant, random_programs::ModuleBuilder& module,
            random_programs::FunctionBuilder& main)
      : program_(program), variant_(variant), module_(module), main_(main) {}

  void declare();
  /// Loads addresses where they are needed. `lane`: a number for each lane of a wave.
  void begin(Id lane);
  void add_capabilities(random_programs::EntryPoint& entry) const;

  Id type_of(unsigned variable) const { return kind_of(variable).type; }
  Id constant(unsigned variable, uint32_t value);
  /// Not atomic.
  Id load(unsigned variable, Order order);
  void store(unsigned variable, Id value, Order order);
  /// For atomic operations.
  Id pointer(unsigned variable);
  /// The words that lie `word` words behind the variable, or a part of them, as 32 bits.
  Id touched(unsigned variable, uint32_t word);

  /// Without a sequentially consistent or coherent access, which the Vulkan memory model does not have.
  bool vulkan() const { return !program_.is_sequentially_consistent() && !program_.has_order(Order::coherent); }
  Id scope();
  uint32_t storage_semantics() const;

 private:
  /// Data or flags.
  struct Kind {
    Cells cells;
    uint32_t binding = 0;
    Id type = 0;
    Id memory = 0;  ///< a variable of the module or, behind an address, a pointer
    Id block = 0;   ///< what the pointer leads to
    Id shared = 0;
  };

  const Kind& kind_of(unsigned variable) const { return program_.is_data(variable) ? data_ : flags_; }
  bool is_used(Memory memory) const { return data_.cells.memory == memory || flags_.cells.memory == memory; }
  bool has_bits(uint8_t bits) const { return data_.cells.bits == bits || flags_.cells.bits == bits; }
  bool has_address() const { return data_.cells.has_address() || flags_.cells.has_address(); }
  bool has_texels() const { return data_.cells.has_texels() || flags_.cells.has_texels(); }
  Id number(uint32_t value) { return module_.constant(u32_, value); }
  void declare_kind(Kind& kind, const Cells& cells, uint32_t binding);
  void declare_touched();
  void declare_addresses();
  Id declare_buffer(Id element, uint32_t bytes, uint32_t binding);
  Id image_type(const Cells& cells, Id texel) const;
  Id address(Id lane);
  Id coordinates(const Cells& cells, uint32_t offset, uint32_t texel_bytes);
  Id element(const Kind& kind, uint32_t offset);
  std::vector<uint32_t> operands_of(const Kind& kind, bool store, Order order);
  std::vector<uint32_t> texel_operands(bool store, Order order);
  void make_coherent(Id variable);

  const Program& program_;
  const Variant& variant_;
  random_programs::ModuleBuilder& module_;
  random_programs::FunctionBuilder& main_;
  Kind data_, flags_;
  Id u32_ = 0, u64_ = 0;
  Id touched_ = 0;    ///< variable of kTouchBinding
  Id addresses_ = 0;  ///< where addresses are: push constants or a buffer
};

}  // namespace spalt::litmus
