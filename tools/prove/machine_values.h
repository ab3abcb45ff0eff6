// SPDX-License-Identifier: MIT
// What the registers of machine IR hold, as formulas for one lane. Behind both encoders of machine IR.
#pragma once
#include <map>
#include <string>

#include "amdgpu/mir/function.h"
#include "encoder.h"

namespace spalt::prove {

/// Operations that read other lanes.
bool reads_lanes(std::string_view name, const isa::Modifiers& modifiers);

class MachineValues {
 public:
  /// `side` begins the names of what is not shared.
  MachineValues(z3::context& context, Inputs& inputs, const mir::Function& function, std::string side)
      : c_(context),
        inputs_(inputs),
        f_(function),
        side_(std::move(side)),
        mask_bits_(function.wave_size),
        lane_(inputs.get("lane", function.wave_size, true)),
        values_(function.vregs.size()),
        is_read_(function.vregs.size()) {}

  virtual ~MachineValues() = default;

 protected:
  /// A register by its number: of vectors a word of this lane.
  z3::expr read_register(isa::Reg reg, unsigned dwords);
  z3::expr read(const mir::Operand& operand, unsigned dwords);
  z3::expr joined(std::span<const mir::Operand> uses);
  void write(const mir::Operand& def, z3::expr value);
  /// The mask of a condition of each lane: this lane's bit is exact, the others are a function of the condition in the
  /// other lane.
  virtual z3::expr mask_of(const z3::expr& condition);
  /// A word that nothing is known of.
  z3::expr fresh(const std::string& what, unsigned bits);
  /// Operations that move whole registers. False: it is another one.
  bool move(mir::InstId id);

  z3::context& c_;
  Inputs& inputs_;
  const mir::Function& f_;
  const std::string side_;
  const unsigned mask_bits_;
  const z3::expr lane_;
  std::vector<std::optional<z3::expr>> values_;
  std::vector<bool> is_read_;
  std::map<uint16_t, z3::expr> registers_;
  unsigned fresh_ = 0;
};

}  // namespace spalt::prove
