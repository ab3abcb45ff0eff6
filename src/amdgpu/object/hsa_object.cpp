// SPDX-License-Identifier: MIT
#include "amdgpu/object/hsa_object.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "amdgpu/object/elf_image.h"
#include "base/bits.h"

namespace spalt::object {
namespace {

constexpr uint64_t kMaxImageBytes = 1u << 28;
constexpr size_t kMaxRelocations = 1u << 20;
// EI_ABIVERSION of code object version 4 (docs/abi/amdgpu.md#elf-header); 5 and 6 follow.
constexpr uint8_t kAbiVersion4 = 2, kAbiVersion6 = 4;

// Dynamic relocations (docs/abi/amdgpu.md#relocations).
enum RelocationType : uint32_t { kAbs32Lo = 1, kAbs32Hi = 2, kAbs64 = 3, kRelative64 = 13 };

Error bad(std::string message) {
  return {Status::invalid_input, std::move(message)};
}

uint64_t word_at(std::span<const uint8_t> bytes, size_t offset, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, size);
  return value;
}

Result<void> read_segments(const ElfImage& image, HsaObject& object) {
  for (const ElfImage::Segment& segment : image.segments) {
    const ElfSegment& header = segment.header;
    if (header.memory_size == 0) continue;
    if (header.address > kMaxImageBytes || header.memory_size > kMaxImageBytes - header.address) {
      return Error{Status::limit_exceeded, "the code object is larger than 256 MiB in memory"};
    }
    HsaSegment loaded;
    loaded.address = header.address;
    loaded.bytes.assign(segment.data.begin(), segment.data.end());
    loaded.bytes.resize(header.memory_size, 0);
    loaded.writable = (header.flags & kSegmentWrite) != 0;
    loaded.executable = (header.flags & kSegmentExec) != 0;
    object.segments.push_back(std::move(loaded));
  }
  std::sort(object.segments.begin(), object.segments.end(),
            [](const HsaSegment& a, const HsaSegment& b) { return a.address < b.address; });
  for (size_t i = 1; i < object.segments.size(); ++i) {
    const HsaSegment& before = object.segments[i - 1];
    if (before.address + before.bytes.size() > object.segments[i].address) return bad("two segments overlap");
  }
  return {};
}

/// The value of symbol `index` of the table that a relocation section names.
Result<uint64_t> symbol_value(const ElfImage& image, uint32_t table, uint64_t index) {
  if (index == 0) return uint64_t{0};
  if (table >= image.sections.size()) return bad("a relocation section has no symbol table");
  const std::span<const uint8_t> data = image.sections[table].data;
  if (index >= data.size() / sizeof(ElfSymbol)) return bad("a relocation names a symbol that does not exist");
  ElfSymbol symbol;
  std::memcpy(&symbol, data.data() + index * sizeof(ElfSymbol), sizeof symbol);
  if (symbol.section == 0) return bad("a relocation names a symbol that is defined elsewhere");
  return symbol.value;
}

Result<void> read_relocation(const ElfImage& image, uint32_t table, const ElfRelocation& entry, HsaObject& object) {
  HsaRelocation relocation;
  relocation.address = entry.offset;
  relocation.addend = static_cast<uint64_t>(entry.addend);
  switch (const auto type = static_cast<uint32_t>(entry.info); type) {
    case 0:
      return {};
    case kRelative64:
      break;
    case kAbs32Lo:
    case kAbs32Hi:
    case kAbs64: {
      const Result<uint64_t> value = symbol_value(image, table, entry.info >> 32);
      if (!value) return value.error();
      relocation.addend += *value;
      relocation.size = type == kAbs64 ? 8 : 4;
      relocation.shift = type == kAbs32Hi ? 32 : 0;
      break;
    }
    default:
      return Error{Status::unsupported, "relocation type " + std::to_string(type) + " is not one that loaders apply"};
  }
  if (object.segment_of(relocation.address, relocation.size) == nullptr) {
    return bad("a relocation lies outside the loaded segments");
  }
  object.relocations.push_back(relocation);
  return {};
}

Result<void> read_relocations(const ElfImage& image, HsaObject& object) {
  for (const ElfImage::Section& section : image.sections) {
    if (section.header.type == kSectionRel) return bad("the code object has relocations without addends");
    if (section.header.type != kSectionRela || (section.header.flags & kFlagAlloc) == 0) continue;
    const size_t count = section.data.size() / sizeof(ElfRelocation);
    if (count > kMaxRelocations) return bad("the code object has too many relocations");
    for (size_t i = 0; i < count; ++i) {
      ElfRelocation entry;
      std::memcpy(&entry, section.data.data() + i * sizeof entry, sizeof entry);
      if (Result<void> done = read_relocation(image, section.header.link, entry, object); !done) return done;
    }
  }
  return {};
}

Result<void> read_descriptor_of(const ElfImage& image, const std::string& symbol_name, const HsaObject& object,
                                HsaKernel& kernel) {
  const ElfImage::Symbol* symbol = image.find_symbol(symbol_name);
  if (symbol == nullptr) return bad("the kernel descriptor \"" + symbol_name + "\" is not in the symbol table");
  kernel.descriptor_address = symbol->entry.value;
  const HsaSegment* segment = object.segment_of(symbol->entry.value, KernelDescriptor::kBytes);
  if (segment == nullptr) return bad("the kernel descriptor \"" + symbol_name + "\" is in no loaded segment");
  if (symbol->entry.value % KernelDescriptor::kBytes != 0) {
    return bad("the kernel descriptor \"" + symbol_name + "\" is not aligned to 64 bytes");
  }
  Result<KernelDescriptor> descriptor = read_kernel_descriptor(
      std::span(segment->bytes).subspan(symbol->entry.value - segment->address, KernelDescriptor::kBytes));
  if (!descriptor) return Error{descriptor.error().status, symbol_name + ": " + descriptor.error().message};
  kernel.descriptor = *descriptor;
  return {};
}

}  // namespace

uint32_t KernelDescriptor::mode_bits() const {
  const auto float_mode = static_cast<uint32_t>(bits_of(rsrc1, 12, 8));
  return float_mode | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9;
}

Result<KernelDescriptor> read_kernel_descriptor(std::span<const uint8_t> bytes) {
  if (bytes.size() != KernelDescriptor::kBytes) return bad("a kernel descriptor has 64 bytes");
  if (word_at(bytes, 12, 4) != 0) return bad("bytes 12 to 15 of the descriptor are not zero");
  for (size_t i = 24; i < 44; ++i) {
    if (bytes[i] != 0) return bad("bytes 24 to 43 of the descriptor are not zero");
  }
  KernelDescriptor d;
  d.group_segment_bytes = static_cast<uint32_t>(word_at(bytes, 0, 4));
  d.private_segment_bytes = static_cast<uint32_t>(word_at(bytes, 4, 4));
  d.kernarg_bytes = static_cast<uint32_t>(word_at(bytes, 8, 4));
  d.entry_offset = static_cast<int64_t>(word_at(bytes, 16, 8));
  d.rsrc3 = static_cast<uint32_t>(word_at(bytes, 44, 4));
  d.rsrc1 = static_cast<uint32_t>(word_at(bytes, 48, 4));
  d.rsrc2 = static_cast<uint32_t>(word_at(bytes, 52, 4));
  const auto properties = static_cast<uint32_t>(word_at(bytes, 56, 2));
  const auto bit = [properties](unsigned index) { return (properties >> index & 1) != 0; };
  d.private_segment_buffer = bit(0);
  d.dispatch_ptr = bit(1);
  d.queue_ptr = bit(2);
  d.kernarg_ptr = bit(3);
  d.dispatch_id = bit(4);
  d.flat_scratch_init = bit(5);
  d.private_segment_size = bit(6);
  d.wave32 = bit(10);
  d.dynamic_stack = bit(11);
  if ((properties & 0xf380) != 0) return bad("reserved property bits of the descriptor are set");
  d.preloaded_dwords = static_cast<uint32_t>(word_at(bytes, 58, 2) & 0x7f);
  if (d.local_id_components() > 3) return bad("the descriptor asks for four components of the work-item id");
  return d;
}

const HsaKernel* HsaObject::find_kernel(std::string_view name) const {
  for (const HsaKernel& kernel : kernels) {
    if (kernel.name == name) return &kernel;
  }
  return nullptr;
}

const HsaSegment* HsaObject::segment_of(uint64_t address, uint64_t size) const {
  for (const HsaSegment& segment : segments) {
    if (address < segment.address) break;
    const uint64_t offset = address - segment.address;
    if (offset <= segment.bytes.size() && size <= segment.bytes.size() - offset) return &segment;
  }
  return nullptr;
}

Result<HsaObject> read_hsa_object(std::span<const uint8_t> bytes) {
  const Result<ElfImage> image = read_elf_image(bytes);
  if (!image) return image.error();
  if (image->os_abi != kOsAbiHsa) return bad("the ELF file is not an HSA code object (OS ABI is not 64)");
  if (image->type != kTypeDynamic) return bad("the HSA code object is not linked (its type is not ET_DYN)");
  if (image->abi_version < kAbiVersion4 || image->abi_version > kAbiVersion6) {
    return Error{Status::unsupported, "only code object versions 4 to 6 are supported"};
  }
  const Result<const isa::Target*> target = target_of(*image);
  if (!target) return target.error();
  const Result<std::span<const uint8_t>> note = metadata_note_of(*image);
  if (!note) return note.error();
  HsaObject object;
  object.target = *target;
  if (Result<void> done = read_segments(*image, object); !done) return done.error();
  if (Result<void> done = read_relocations(*image, object); !done) return done.error();
  std::vector<std::string> symbols;
  if (Result<void> done = read_hsa_metadata(*note, object.kernels, symbols); !done) return done.error();
  for (size_t i = 0; i < object.kernels.size(); ++i) {
    if (Result<void> done = read_descriptor_of(*image, symbols[i], object, object.kernels[i]); !done) {
      return done.error();
    }
  }
  return object;
}

}  // namespace spalt::object
