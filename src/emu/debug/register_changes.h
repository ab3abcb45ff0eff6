// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spalt::emu {

class Wave;

/// A register by the name that assembler text gives it: s5, v3, vcc_lo, exec_hi, m0, ttmp7, scc.
struct RegisterRef {
  enum class Kind : uint8_t { scalar, vector, scc };
  Kind kind = Kind::scalar;
  unsigned index = 0;  ///< number in its file

  static bool parse(std::string_view name, RegisterRef& ref);
  std::string name() const;
  /// Whether a wave has it.
  bool exists(const Wave& wave) const;
  /// Its value, of a vector register in that lane.
  uint32_t read(const Wave& wave, unsigned lane) const;
  bool operator==(const RegisterRef&) const = default;
};

/// Finds out what changed in a wave's registers since the last look.
class RegisterChanges {
 public:
  /// Takes the registers as they are, without changes.
  void start(const Wave& wave);
  /// Compares and remembers.
  void update(const Wave& wave);

  struct Change {
    RegisterRef ref;
    uint32_t before = 0;  ///< scalar registers
    uint64_t lanes = 0;   ///< vector registers: those that changed
  };
  const std::vector<Change>& changes() const { return changes_; }

 private:
  std::array<uint32_t, 130> scalar_{};
  bool scc_ = false;
  std::vector<uint32_t> vector_;
  std::vector<Change> changes_;
};

/// One line per change: "    s4 = 0x00000010 (was 0xbad0c0de)"; vector registers show the value of every changed lane.
std::string describe_changes(const RegisterChanges& changes, const Wave& wave);

/// "s4 = 0x00000010", or the lanes of a vector register.
std::string describe_register(const RegisterRef& ref, const Wave& wave);

/// "workgroup (0, 0, 0) wave 1 pc 0x000010: s_mov_b32 s0, s1".
std::string describe_position(const Wave& wave);

}  // namespace spalt::emu
