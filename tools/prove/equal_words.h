// SPDX-License-Identifier: MIT
// Finds the word of the selected code that is probably equal to one of the IR: both have the same values for some
// inputs. If they are proved equal, what is computed from them is the same formula on both sides, and large functions
// are decided value by value.
#pragma once
#include <array>
#include <map>

#include "encoder.h"

namespace spalt::prove {

class EqualWords {
 public:
  /// Takes numbers for the inputs that there are now; unknown functions of equal numbers are equal.
  EqualWords(z3::context& context, const Inputs& inputs, const Formulas& words);
  /// The word that may be equal to this one, or null. Of several it is the same formula, or the first one that was not
  /// found yet: both sides have their words in one order.
  const z3::expr* find(const z3::expr& word);

 private:
  static constexpr unsigned kSamples = 5;
  using Key = std::array<unsigned, kSamples>;  ///< numbers of formulas

  struct Alike {
    Formulas words;
    size_t next = 0;
  };

  Key sample(const z3::expr& word);

  z3::expr_vector inputs_;
  std::vector<z3::expr_vector> numbers_;  ///< for each sample, of each input
  Formulas samples_;                      ///< keeps their numbers taken
  std::map<Key, Alike> words_;
};

}  // namespace spalt::prove
