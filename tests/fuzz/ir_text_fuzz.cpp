// SPDX-License-Identifier: MIT
//
// IR text -> parser -> verifier -> printer and back. Whatever the text, the parser answers with a module or an error;
// what the verifier accepts prints as text that parses to a valid module and prints the same again; and what it
// rejects still prints. Seeds: the IR of tests/golden.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "ir/parser.h"
#include "ir/printer.h"
#include "ir/verifier.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

struct Piece {
  size_t begin = 0, length = 0;
};

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '%';
}

/// Maximal runs of characters for which `inside` holds.
template <class Inside>
std::vector<Piece> find_pieces(std::string_view text, Inside inside) {
  std::vector<Piece> pieces;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!inside(text[i])) continue;
    const size_t begin = i;
    while (i < text.size() && inside(text[i])) ++i;
    pieces.push_back({begin, i - begin});
  }
  return pieces;
}

/// One change that keeps words whole: another word or a small number in the place of one, or a line left out, repeated
/// or moved. Byte mutations rarely get past the names of values and operations.
void mutate_text(std::string& text, std::mt19937& random) {
  const bool lines = random() % 3 == 0;
  const std::vector<Piece> pieces =
      lines ? find_pieces(text, [](char c) { return c != '\n'; }) : find_pieces(text, in_word);
  if (pieces.empty()) return;
  const Piece at = pieces[random() % pieces.size()];
  const Piece other = pieces[random() % pieces.size()];
  const std::string copy = text.substr(other.begin, other.length);
  if (!lines) {
    static const char* const kNumbers[] = {"0", "1", "-1", "2", "31", "32", "0x7fffffff", "0xffffffff", "4294967296"};
    text.replace(at.begin, at.length, random() % 5 == 0 ? kNumbers[random() % std::size(kNumbers)] : copy);
    return;
  }
  switch (random() % 3) {
    case 0:
      text.erase(at.begin, at.length);
      break;
    case 1:
      text.insert(at.begin, copy + "\n");
      break;
    default:
      text.replace(at.begin, at.length, copy);
      break;
  }
}

[[noreturn]] void complain(const char* what, const std::string& message, const std::string& text) {
  std::fprintf(stderr, "%s: %s\n%s\n", what, message.c_str(), text.c_str());
  std::abort();
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::mt19937 random(seed);
  if (size < 8 || random() % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  std::string text(reinterpret_cast<const char*>(data), size);
  for (unsigned i = 0; i <= random() % 3; ++i) mutate_text(text, random);
  const size_t bytes = text.size() < max_size ? text.size() : max_size;
  std::memcpy(data, text.data(), bytes);
  return bytes;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace spalt;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<ir::Module> module = ir::parse(text);
  if (!module) {
    if (module.error().message.empty()) complain("an error without a cause", "", std::string(text));
    return 0;
  }
  const std::string printed = ir::print(*module);
  if (const Result<void> verdict = ir::verify(*module); !verdict) {
    if (verdict.error().message.empty()) complain("the verifier gives no reason", "", printed);
    return 0;
  }
  const Result<ir::Module> again = ir::parse(printed);
  if (!again) complain("the printer's text does not parse", again.error().message, printed);
  if (const Result<void> verdict = ir::verify(*again); !verdict) {
    complain("the printed module is not valid", verdict.error().message, printed);
  }
  const std::string second = ir::print(*again);
  if (second != printed) complain("printing again gives another text", second, printed);
  return 0;
}
