// SPDX-License-Identifier: MIT
// The file around the document: one broken place each, and the sentence it must give.
#include <gtest/gtest.h>

#include <cstring>

#include "amdgpu/metadata/dump.h"
#include "amdgpu/metadata/inspect.h"
#include "amdgpu/object/elf_format.h"
#include "amdgpu/object/link.h"

namespace spalt::metadata::test {
namespace {

using namespace object;

/// A file whose tables can be reached by name. References end with the next change of size.
class File {
 public:
  File() {
    StageObject shader;
    shader.target_name = "gfx1030";
    shader.code = {0, 0, 0x81, 0xbf};  // s_endpgm
    shader.wave_size = 32;
    shader.vgpr_count = 8;
    shader.sgpr_count = 8;
    shader.user_sgprs = 1;
    shader.user_data_reg_map[0] = abi::kGlobalTable;
    const Result<Bytes> elf = link_stages({&shader, 1}, MetadataVersion::v3_0);
    bytes.assign(elf->begin(), elf->end());
  }

  ElfHeader& header() { return at<ElfHeader>(0); }
  ElfSection& section(std::string_view name) {
    for (unsigned i = 1; i < header().section_count; ++i) {
      auto& found = at<ElfSection>(header().section_offset + i * sizeof(ElfSection));
      const ElfSection& names = at<ElfSection>(header().section_offset + header().section_names * sizeof(ElfSection));
      if (name == &at<char>(names.offset + found.name)) return found;
    }
    throw std::runtime_error("no section " + std::string(name));
  }
  /// The name of a section, to be changed.
  char* name_of(std::string_view name) {
    const ElfSection& names = at<ElfSection>(header().section_offset + header().section_names * sizeof(ElfSection));
    return &at<char>(names.offset + section(name).name);
  }
  ElfNote& note() { return at<ElfNote>(section(".note").offset); }
  char* note_name() { return &at<char>(section(".note").offset + sizeof(ElfNote)); }
  uint8_t* document() { return &at<uint8_t>(section(".note").offset + sizeof(ElfNote) + 8); }
  /// The entry point's symbol, after the null symbol.
  ElfSymbol& symbol() { return at<ElfSymbol>(section(".symtab").offset + sizeof(ElfSymbol)); }
  char* symbol_name() {
    const ElfSection& strings = at<ElfSection>(header().section_offset + section(".symtab").link * sizeof(ElfSection));
    return &at<char>(strings.offset + symbol().name);
  }

  std::vector<uint8_t> bytes;

 private:
  template <typename T>
  T& at(uint64_t offset) {
    return *reinterpret_cast<T*>(bytes.data() + offset);
  }
};

std::string findings(const std::vector<uint8_t>& elf) {
  const auto inspection = inspect_elf(elf);
  return inspection ? findings_text(inspection->report) : inspection.error().message;
}

struct BrokenFile {
  const char* name;
  void (*damage)(File&);
  const char* sentence;
};

void PrintTo(const BrokenFile& broken, std::ostream* out) {
  *out << broken.name;
}

const BrokenFile kNotes[] = {
    {"no_note_section", [](File& f) { f.section(".note").type = kSectionProgbits; },
     "the ELF file has no AMDGPU metadata note"},
    {"other_vendor", [](File& f) { f.note_name()[0] = 'B'; }, "the ELF file has no AMDGPU metadata note"},
    {"other_type", [](File& f) { f.note().type = 31; }, "the ELF file has no AMDGPU metadata note"},
    {"name_too_long", [](File& f) { f.note().name_size = 1u << 20; }, "a note name leaves its section"},
    {"longest_name", [](File& f) { f.note().name_size = 0xffffffff; }, "a note name leaves its section"},
    {"document_too_long", [](File& f) { f.note().desc_size += 4; }, "a note descriptor leaves its section"},
    {"longest_document", [](File& f) { f.note().desc_size = 0xffffffff; }, "a note descriptor leaves its section"},
    {"note_of_a_few_bytes", [](File& f) { f.section(".note").size = 8; }, "the ELF file has no AMDGPU metadata note"},
    {"empty_document",
     [](File& f) {
       f.note().desc_size = 0;
       f.section(".note").size = sizeof(ElfNote) + 8;
     },
     "the metadata is not well-formed MessagePack"},
    {"cut_document", [](File& f) { f.note().desc_size -= 8; }, "the metadata is not well-formed MessagePack"},
    {"no_messagepack", [](File& f) { f.document()[0] = 0xc1; }, "the metadata is not well-formed MessagePack"},
    {"no_map", [](File& f) { f.document()[0] = 0x05; },
     "error: the document is not a map [wrong_type]\n"
     "error: amdpal.pipelines: it does not hold exactly one pipeline [no_pipeline]\n"},
};

const BrokenFile kContainer[] = {
    {"no_elf", [](File& f) { f.bytes[0] = 0; }, "the file is not an ELF file"},
    {"elf32", [](File& f) { f.bytes[4] = 1; }, "the ELF file is not 64-bit little endian"},
    {"big_endian", [](File& f) { f.bytes[5] = 2; }, "the ELF file is not 64-bit little endian"},
    {"other_os", [](File& f) { f.bytes[7] = kOsAbiHsa; }, "the ELF file is not a PAL code object (OS ABI is not 65)"},
    {"other_machine", [](File& f) { f.header().machine = 62; }, "the ELF machine is not AMDGPU"},
    {"unknown_processor", [](File& f) { f.header().flags = 0xff; },
     "the ELF machine number 255 is no supported processor"},
    {"unknown_family", [](File& f) { f.header().flags = 2u << 24 | 0x59; },
     "the ELF machine number 89 with generic version 2 is not supported"},
    {"no_sections", [](File& f) { f.header().section_count = 0; }, "the ELF file has no usable section table"},
    {"table_outside", [](File& f) { f.header().section_offset = f.bytes.size(); }, "the section table leaves the file"},
    {"section_outside", [](File& f) { f.section(".note").size = f.bytes.size(); }, "section 2 leaves the file"},
    {"no_text", [](File& f) { f.name_of(".text")[1] = 'T'; },
     "error: the file has no section .text [section]\n"
     "error: .hardware_stages/.cs/.entry_point: the symbol is not in .text [entry_symbol]\n"},
    {"text_stays_in_the_file", [](File& f) { f.section(".text").flags = kFlagExec; },
     "error: the section .text is not allocated, so loaders do not upload it [section]\n"},
    {"note_by_another_name", [](File& f) { f.name_of(".note")[1] = 'N'; },
     "error: the file has no section .note [section]\n"},
};

const BrokenFile kEntry[] = {
    {"no_symbols", [](File& f) { f.section(".symtab").type = kSectionProgbits; },
     "error: .hardware_stages/.cs/.entry_point: the symbol table has no such symbol [entry_symbol]\n"},
    {"other_symbol", [](File& f) { f.symbol_name()[0] = 'x'; },
     "error: .hardware_stages/.cs/.entry_point: the symbol table has no such symbol [entry_symbol]\n"},
    {"name_outside", [](File& f) { f.symbol().name = 1u << 20; }, "the name of symbol 1 leaves the string table"},
    {"other_section", [](File& f) { f.symbol().section = 0; },
     "error: .hardware_stages/.cs/.entry_point: the symbol is not in .text [entry_symbol]\n"},
    {"no_section", [](File& f) { f.symbol().section = 0xfff1; },
     "error: .hardware_stages/.cs/.entry_point: the symbol is not in .text [entry_symbol]\n"},
    {"behind_the_text", [](File& f) { f.symbol().value = 1u << 20; },
     "error: .hardware_stages/.cs/.entry_point: the symbol leaves .text [entry_symbol]\n"},
    {"longer_than_the_text", [](File& f) { f.symbol().size = 1u << 20; },
     "error: .hardware_stages/.cs/.entry_point: the symbol leaves .text [entry_symbol]\n"},
    {"no_size", [](File& f) { f.symbol().size = 0; },
     "error: .hardware_stages/.cs/.entry_point: the size of the symbol is 0, and loaders take the length of the code "
     "from it [entry_size]\n"},
    {"unaligned", [](File& f) { f.symbol().value = 4; },
     "error: .hardware_stages/.cs/.entry_point: the entry point is not 256-byte aligned [entry_alignment]\n"},
    {"local", [](File& f) { f.symbol().info = kSymbolFunc; },
     "error: .hardware_stages/.cs/.entry_point: the symbol is not a global function [entry_symbol]\n"},
    {"no_function", [](File& f) { f.symbol().info = kBindGlobal << 4 | 1; },
     "error: .hardware_stages/.cs/.entry_point: the symbol is not a global function [entry_symbol]\n"},
};

class Broken : public testing::TestWithParam<BrokenFile> {};

TEST_P(Broken, FileIsRefusedWithItsReason) {
  File file;
  ASSERT_EQ(findings(file.bytes), "");
  GetParam().damage(file);
  EXPECT_EQ(findings(file.bytes), GetParam().sentence);
}

const auto kName = [](const auto& param) { return std::string(param.param.name); };
INSTANTIATE_TEST_SUITE_P(Note, Broken, testing::ValuesIn(kNotes), kName);
INSTANTIATE_TEST_SUITE_P(Container, Broken, testing::ValuesIn(kContainer), kName);
INSTANTIATE_TEST_SUITE_P(Entry, Broken, testing::ValuesIn(kEntry), kName);

}  // namespace
}  // namespace spalt::metadata::test
