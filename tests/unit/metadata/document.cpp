// SPDX-License-Identifier: MIT
#include "document.h"

#include <cstddef>
#include <cstring>

namespace spalt::metadata::test {
namespace {

/// Big endian, as MessagePack has everything (MessagePack specification, "Formats").
void append(std::vector<uint8_t>& out, uint64_t value, unsigned bytes) {
  for (unsigned i = bytes; i-- > 0;) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

}  // namespace

Value Value::array(std::vector<Value> elements) {
  Value value;
  value.kind_ = Kind::array;
  value.elements_ = std::move(elements);
  return value;
}

Value Value::map(std::vector<Entry> entries) {
  Value value;
  value.kind_ = Kind::map;
  for (Entry& entry : entries) {
    value.elements_.push_back(std::move(entry.first));
    value.elements_.push_back(std::move(entry.second));
  }
  return value;
}

Value Value::blob(std::string bytes) {
  Value value(std::move(bytes));
  value.kind_ = Kind::blob;
  return value;
}

Value& Value::operator[](const Value& key) {
  for (size_t i = 0; i < elements_.size(); i += 2) {
    if (elements_[i].same_key(key)) return elements_[i + 1];
  }
  elements_.push_back(key);
  elements_.emplace_back();
  return elements_.back();
}

void Value::erase(const char* key) {
  for (size_t i = 0; i < elements_.size(); i += 2) {
    if (!elements_[i].same_key(Value(key))) continue;
    elements_.erase(elements_.begin() + static_cast<ptrdiff_t>(i), elements_.begin() + static_cast<ptrdiff_t>(i) + 2);
    return;
  }
}

void Value::repeat(const char* key) {
  const Value copy = (*this)[key];
  elements_.emplace_back(key);
  elements_.push_back(copy);
}

std::vector<uint8_t> Value::packed() const {
  std::vector<uint8_t> out;
  pack(out);
  return out;
}

void Value::pack(std::vector<uint8_t>& out) const {
  switch (kind_) {
    case Kind::nil:
      out.push_back(0xc0);
      return;
    case Kind::boolean:
      out.push_back(static_cast<uint8_t>(0xc2 + number_));
      return;
    case Kind::integer:
      out.push_back(0xcf);
      return append(out, number_, 8);
    case Kind::negative:
      out.push_back(0xd3);
      return append(out, number_, 8);
    case Kind::real: {
      uint64_t bits = 0;
      std::memcpy(&bits, &real_, 8);
      out.push_back(0xcb);
      return append(out, bits, 8);
    }
    case Kind::text:
    case Kind::blob:
      out.push_back(kind_ == Kind::text ? 0xdb : 0xc6);
      append(out, text_.size(), 4);
      out.insert(out.end(), text_.begin(), text_.end());
      return;
    case Kind::array:
    case Kind::map:
      out.push_back(kind_ == Kind::array ? 0xdd : 0xdf);
      append(out, kind_ == Kind::array ? elements_.size() : elements_.size() / 2, 4);
      for (const Value& element : elements_) element.pack(out);
      return;
  }
}

}  // namespace spalt::metadata::test
