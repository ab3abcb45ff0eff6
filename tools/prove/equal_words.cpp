// SPDX-License-Identifier: MIT
#include "equal_words.h"

#include <algorithm>
#include <random>

namespace spalt::prove {

EqualWords::EqualWords(z3::context& context, const Inputs& inputs, const Formulas& words) : inputs_(context) {
  for (unsigned i = 0; i < kSamples; ++i) numbers_.emplace_back(context);  // copies would be one vector
  std::mt19937_64 random(1);
  for (const auto& [name, input] : inputs.all()) {
    const unsigned bits = input.get_sort().bv_size();
    inputs_.push_back(input);
    for (z3::expr_vector& numbers : numbers_) {
      z3::expr value = number(context, name == "lane" ? random() % 32 : random(), std::min(bits, 64u));
      while (value.get_sort().bv_size() < bits) {
        value = z3::concat(value, number(context, random(), std::min(bits - value.get_sort().bv_size(), 64u)));
      }
      numbers.push_back(value);
    }
  }
  for (const z3::expr& word : words) words_[sample(word)].words.push_back(word);
}

EqualWords::Key EqualWords::sample(const z3::expr& word) {
  Key key;
  for (unsigned i = 0; i < kSamples; ++i) {
    z3::expr copy = word;
    samples_.push_back(copy.substitute(inputs_, numbers_[i]).simplify());
    key[i] = Z3_get_ast_id(word.ctx(), samples_.back());
  }
  return key;
}

const z3::expr* EqualWords::find(const z3::expr& word) {
  const auto found = words_.find(sample(word));
  if (found == words_.end()) return nullptr;
  Alike& alike = found->second;
  for (size_t i = 0; i < alike.words.size(); ++i) {
    if (!z3::eq(alike.words[i], word)) continue;
    alike.next = std::max(alike.next, std::min(i + 1, alike.words.size() - 1));
    return &alike.words[i];
  }
  const z3::expr* word_found = &alike.words[alike.next];
  if (alike.next + 1 < alike.words.size()) ++alike.next;
  return word_found;
}

}  // namespace spalt::prove
