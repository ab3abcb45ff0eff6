// SPDX-License-Identifier: MIT
// Every row of LLVM's memory-model tables (docs/abi/amdgpu.md) that SPIR-V can ask for, against
// what selection makes of it, in every form that accesses have. Not there: generic pointers, which SPIR-V for shaders
// has not, and system scope.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "amdgpu/select/select.h"
#include "analysis/divergence.h"
#include "ir/parser.h"

namespace spalt::select {
namespace {

using Tokens = std::vector<std::string>;

/// `sequence` in the notation of the tables: steps with ';', waits with '&', "[wgp]" after what only WGP mode has. V,
/// VS and L are the counters of vector loads, vector stores and LDS on every generation; "VR" is V if the operation
/// returns something, else VS. "op" may be followed by cache bits.
struct Row {
  const char* operation;  ///< load, store, rmw, returning_rmw, or fence
  const char* order;
  const char* scope;
  const char* memory;  ///< buffer or shared, with "all" where it orders both; of a fence both
  const char* sequence;
};

// Relaxations that the tables allow ("if OpenCL, omit") are applied: an operation on buffers names only these and waits
// for no LDS, and the reverse, but for seq_cst and what orders all. Releases in LDS that order all stand as clang 19
// has them, with a wait for LDS.
constexpr Row kGfx9[] = {
    {"load", "relaxed", "subgroup", "buffer", "op"},
    {"load", "relaxed", "workgroup", "buffer", "op"},
    {"load", "relaxed", "device", "buffer", "op glc"},
    {"store", "relaxed", "device", "buffer", "op"},
    {"rmw", "relaxed", "device", "buffer", "op"},
    {"load", "acquire", "subgroup", "buffer", "op"},
    {"load", "acquire", "workgroup", "buffer", "op"},
    {"load", "acquire", "workgroup", "shared", "op"},
    {"load", "acquire", "device", "buffer", "op glc; V; INV"},
    {"returning_rmw", "acquire", "workgroup", "buffer", "op"},
    {"returning_rmw", "acquire", "workgroup", "shared", "op"},
    {"rmw", "acquire", "device", "buffer", "op; V; INV"},
    {"returning_rmw", "acquire", "device", "buffer", "op; V; INV"},
    {"store", "release", "workgroup", "buffer", "op"},
    {"store", "release", "workgroup", "shared", "op"},
    {"store", "release", "device", "buffer", "V; op"},
    {"rmw", "release", "device", "buffer", "V; op"},
    {"rmw", "acq_rel", "workgroup", "buffer", "op"},
    {"rmw", "acq_rel", "workgroup", "shared", "op"},
    {"rmw", "acq_rel", "device", "buffer", "V; op; V; INV"},
    {"load", "seq_cst", "workgroup", "buffer", "L; op"},
    {"load", "seq_cst", "device", "buffer", "L&V; op glc; V; INV"},
    {"store", "seq_cst", "device", "buffer", "L&V; op"},
    {"rmw", "seq_cst", "device", "buffer", "L&V; op; V; INV"},
    {"load", "acquire", "workgroup", "shared all", "op; L"},
    {"store", "release", "workgroup", "shared all", "L; op"},
    {"returning_rmw", "acq_rel", "workgroup", "shared all", "L; op; L"},
    {"store", "release", "workgroup", "buffer all", "L; op"},
    {"returning_rmw", "acq_rel", "device", "buffer all", "L&V; op; V; INV"},
    {"rmw", "acquire", "device", "buffer all", "op; VR; INV"},
    {"fence", "acquire", "subgroup", "", ""},
    {"fence", "acquire", "workgroup", "", "L"},
    {"fence", "release", "workgroup", "", "L"},
    {"fence", "acq_rel", "workgroup", "", "L"},
    {"fence", "acquire", "device", "", "L&V; INV"},
    {"fence", "release", "device", "", "L&V"},
    {"fence", "acq_rel", "device", "", "L&V; INV"},
};

// dlc stands for GFX10; GFX11 drops it beside glc.
constexpr Row kGfx10[] = {
    {"load", "relaxed", "subgroup", "buffer", "op"},
    {"load", "relaxed", "workgroup", "buffer", "op glc[wgp]"},
    {"load", "relaxed", "device", "buffer", "op glc dlc"},
    {"store", "relaxed", "device", "buffer", "op"},
    {"rmw", "relaxed", "device", "buffer", "op"},
    {"load", "acquire", "subgroup", "buffer", "op"},
    {"load", "acquire", "workgroup", "buffer", "op glc[wgp]; V[wgp]; INV0[wgp]"},
    {"load", "acquire", "workgroup", "shared", "op"},
    {"load", "acquire", "device", "buffer", "op glc dlc; V; INV1; INV0"},
    {"rmw", "acquire", "workgroup", "buffer", "op; VR[wgp]; INV0[wgp]"},
    {"returning_rmw", "acquire", "workgroup", "buffer", "op; VR[wgp]; INV0[wgp]"},
    {"returning_rmw", "acquire", "workgroup", "shared", "op"},
    {"rmw", "acquire", "device", "buffer", "op; VR; INV1; INV0"},
    {"returning_rmw", "acquire", "device", "buffer", "op; VR; INV1; INV0"},
    {"store", "release", "workgroup", "buffer", "V[wgp]&VS[wgp]; op"},
    {"store", "release", "workgroup", "shared", "op"},
    {"store", "release", "device", "buffer", "V&VS; op"},
    {"rmw", "release", "workgroup", "buffer", "V[wgp]&VS[wgp]; op"},
    {"rmw", "release", "device", "buffer", "V&VS; op"},
    {"rmw", "acq_rel", "workgroup", "buffer", "V[wgp]&VS[wgp]; op; VR[wgp]; INV0[wgp]"},
    {"rmw", "acq_rel", "workgroup", "shared", "op"},
    {"rmw", "acq_rel", "device", "buffer", "V&VS; op; VR; INV1; INV0"},
    {"load", "seq_cst", "workgroup", "buffer", "L&V[wgp]&VS[wgp]; op glc[wgp]; V[wgp]; INV0[wgp]"},
    {"load", "seq_cst", "device", "buffer", "L&V&VS; op glc dlc; V; INV1; INV0"},
    {"store", "seq_cst", "device", "buffer", "L&V&VS; op"},
    {"rmw", "seq_cst", "device", "buffer", "L&V&VS; op; VR; INV1; INV0"},
    {"load", "acquire", "workgroup", "shared all", "op; L; INV0[wgp]"},
    {"store", "release", "workgroup", "shared all", "L&V[wgp]&VS[wgp]; op"},
    {"returning_rmw", "acq_rel", "workgroup", "shared all", "L&V[wgp]&VS[wgp]; op; L; INV0[wgp]"},
    {"store", "release", "workgroup", "buffer all", "L&V[wgp]&VS[wgp]; op"},
    {"returning_rmw", "acq_rel", "device", "buffer all", "L&V&VS; op; V; INV1; INV0"},
    {"rmw", "acquire", "device", "buffer all", "op; VR; INV1; INV0"},
    {"fence", "acquire", "subgroup", "", ""},
    {"fence", "acquire", "workgroup", "", "L&V[wgp]&VS[wgp]; INV0[wgp]"},
    {"fence", "release", "workgroup", "", "L&V[wgp]&VS[wgp]"},
    {"fence", "acq_rel", "workgroup", "", "L&V[wgp]&VS[wgp]; INV0[wgp]"},
    {"fence", "acquire", "device", "", "L&V&VS; INV1; INV0"},
    {"fence", "release", "device", "", "L&V&VS"},
    {"fence", "acq_rel", "device", "", "L&V&VS; INV1; INV0"},
};

// LD, ST and DS of the tables are V, VS and L here.
constexpr Row kGfx12[] = {
    {"load", "relaxed", "subgroup", "buffer", "op"},
    {"load", "relaxed", "workgroup", "buffer", "op SE[wgp]"},
    {"load", "relaxed", "device", "buffer", "op DEV"},
    {"store", "relaxed", "workgroup", "buffer", "op SE[wgp]"},
    {"store", "relaxed", "device", "buffer", "op DEV"},
    {"rmw", "relaxed", "workgroup", "buffer", "op SE[wgp]"},
    {"rmw", "relaxed", "device", "buffer", "op DEV"},
    {"load", "acquire", "workgroup", "buffer", "op SE[wgp]; V[wgp]; INV SE[wgp]"},
    {"load", "acquire", "workgroup", "shared", "op"},
    {"load", "acquire", "device", "buffer", "op DEV; V; INV DEV"},
    {"rmw", "acquire", "workgroup", "buffer", "op SE[wgp]; VR[wgp]; INV SE[wgp]"},
    {"returning_rmw", "acquire", "workgroup", "shared", "op"},
    {"rmw", "acquire", "device", "buffer", "op DEV; VR; INV DEV"},
    {"returning_rmw", "acquire", "device", "buffer", "op DEV; VR; INV DEV"},
    {"store", "release", "workgroup", "buffer", "V[wgp]&VS[wgp]; op SE[wgp]"},
    {"store", "release", "workgroup", "shared", "op"},
    {"store", "release", "device", "buffer", "V&VS; op DEV"},
    {"rmw", "release", "device", "buffer", "V&VS; op DEV"},
    {"rmw", "acq_rel", "workgroup", "buffer", "V[wgp]&VS[wgp]; op SE[wgp]; VR[wgp]; INV SE[wgp]"},
    {"rmw", "acq_rel", "workgroup", "shared", "op"},
    {"rmw", "acq_rel", "device", "buffer", "V&VS; op DEV; VR; INV DEV"},
    {"load", "seq_cst", "workgroup", "buffer", "L&V[wgp]&VS[wgp]; op SE[wgp]; V[wgp]; INV SE[wgp]"},
    {"load", "seq_cst", "device", "buffer", "L&V&VS; op DEV; V; INV DEV"},
    {"store", "seq_cst", "device", "buffer", "L&V&VS; op DEV"},
    {"rmw", "seq_cst", "device", "buffer", "L&V&VS; op DEV; VR; INV DEV"},
    {"load", "acquire", "workgroup", "shared all", "op; L; INV SE[wgp]"},
    {"store", "release", "workgroup", "shared all", "L&V[wgp]&VS[wgp]; op"},
    {"returning_rmw", "acq_rel", "workgroup", "shared all", "L&V[wgp]&VS[wgp]; op; L; INV SE[wgp]"},
    {"store", "release", "workgroup", "buffer all", "L&V[wgp]&VS[wgp]; op SE[wgp]"},
    {"returning_rmw", "acq_rel", "device", "buffer all", "L&V&VS; op DEV; V; INV DEV"},
    {"rmw", "acquire", "device", "buffer all", "op DEV; VR; INV DEV"},
    {"fence", "acquire", "subgroup", "", ""},
    {"fence", "acquire", "workgroup", "", "L&V[wgp]&VS[wgp]; INV SE[wgp]"},
    {"fence", "release", "workgroup", "", "L&V[wgp]&VS[wgp]"},
    {"fence", "acq_rel", "workgroup", "", "L&V[wgp]&VS[wgp]; INV SE[wgp]"},
    {"fence", "acquire", "device", "", "L&V&VS; INV DEV"},
    {"fence", "release", "device", "", "L&V&VS"},
    {"fence", "acq_rel", "device", "", "L&V&VS; INV DEV"},
};

struct Configuration {
  const char* target;
  bool wgp;
};

// ---- the table's side ----

Tokens split(const std::string& text, char separator) {
  Tokens parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const size_t begin = part.find_first_not_of(' ');
    if (begin != std::string::npos) parts.push_back(part.substr(begin, part.find_last_not_of(' ') + 1 - begin));
  }
  return parts;
}

/// One word without its condition; empty when the condition does not hold.
std::string resolve(std::string word, const Row& row, const Configuration& configuration) {
  const size_t condition = word.find("[wgp]");
  if (condition != std::string::npos) {
    if (!configuration.wgp) return "";
    word = word.substr(0, condition);
  }
  const bool has_vscnt = isa::find_target(configuration.target)->has_vscnt;
  if (word == "VR") word = row.operation == std::string("returning_rmw") ? "V" : "VS";
  if (word == "VS" && !has_vscnt) word = "V";
  if (word == "dlc" && configuration.target == std::string("gfx1100")) return "";
  return word;
}

/// The steps: "V" "VS" "L" each for itself in alphabetical order between the others.
Tokens expected_steps(const Row& row, const Configuration& configuration) {
  Tokens steps;
  for (const std::string& step : split(row.sequence, ';')) {
    Tokens waits;
    if (step[0] == 'V' || step[0] == 'L') {
      for (const std::string& wait : split(step, '&')) {
        const std::string word = resolve(wait, row, configuration);
        if (!word.empty()) waits.push_back(word);
      }
      std::sort(waits.begin(), waits.end());
      waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
      steps.insert(steps.end(), waits.begin(), waits.end());
      continue;
    }
    const Tokens words = split(step, ' ');
    std::string whole;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string word = resolve(words[i], row, configuration);
      if (!word.empty()) whole += (whole.empty() ? "" : " ") + word;
    }
    if (whole == "INV" && step != "INV") continue;  // its scope is that of the other mode
    if (!whole.empty()) steps.push_back(whole);
  }
  return steps;
}

// ---- our side ----

/// How an access says where and what. LLVM's tables speak of buffer, global and flat accesses; image accesses take the
/// same way to memory and count alike (docs/abi/amdgpu.md).
struct Form {
  const char* name;
  const char* type;
  const char* value;  ///< what is stored
  const char* where;  ///< after "load." and the others
  const char* align;
  bool image = false;

  std::string prefix() const { return image ? "image_" : ""; }
  std::string tail() const { return image ? ", mask x" : std::string(", align ") + align; }
  std::string atomic_tail() const { return image ? ", add" : tail(); }
};

constexpr Form kBufferForms[] = {
    {"buffer", "i32", "%v", "storage %d, %v", "4"},
    {"buffer of 64 bits", "i64", "%w", "storage %d, %v", "8"},
    {"address", "i32", "%v", "global %s, %v", "4"},
    {"address of lanes", "i32", "%v", "global %l, 0", "4"},
    {"address of lanes, 64 bits", "i64", "%w", "global %l, 0", "8"},
    {"image", "i32", "%v", "2d %i, %v, %v", "", true},
    {"texel buffer", "i32", "%v", "buffer %d, %v", "", true},
};
constexpr Form kSharedForms[] = {
    {"shared", "i32", "%v", "shared %v", "4"},
    {"shared of 64 bits", "i64", "%w", "shared %v", "8"},
};
/// Of which nothing is atomic.
constexpr Form kNarrowForms[] = {
    {"byte in a buffer", "i8", "%b", "storage %d, %v", "1"},
    {"half in a buffer", "i16", "%h", "storage %d, %v", "2"},
    {"byte at an address", "i8", "%b", "global %s, %v", "1"},
    {"half at an address of lanes", "i16", "%h", "global %l, 0", "2"},
};

std::string module_of(const std::string& body) {
  return "stage lowered\nworkgroup_size 256, 1, 1\nshared_bytes 0x400\nscratch_bytes 4\narg \"v\", vgpr 0, dwords 1\n"
         "arg \"d\", sgpr 4, dwords 4\narg \"i\", sgpr 16, dwords 8\narg \"s\", sgpr 24, dwords 2\n"
         "arg \"l\", vgpr 1, dwords 2\narg \"w\", vgpr 3, dwords 2\n"
         "func @main() {\nb0:\n  %v: i32 = arg 0\n  %d: i32x4 = arg 1\n  %i: i32x8 = arg 2\n  %s: i64 = arg 3\n"
         "  %l: i64 = arg 4\n  %w: i64 = arg 5\n  %b: i8 = trunc %v\n  %h: i16 = trunc %v\n" +
         body + "  ret\n}\n";
}

std::string use_of_x(const Form& form) {
  const std::string type = form.type;
  if (type == "i32") return "  store.scratch 0, %x, align 4\n";
  return std::string("  %y: i32 = ") + (type == "i64" ? "trunc" : "zext") + " %x\n  store.scratch 0, %y, align 4\n";
}

std::string load_text(const Form& form, const std::string& attributes) {
  return std::string("  %x: ") + form.type + " = " + form.prefix() + "load." + form.where + form.tail() + attributes +
         "\n" + use_of_x(form);
}

std::string store_text(const Form& form, const std::string& attributes) {
  return "  " + form.prefix() + "store." + form.where + ", " + form.value + form.tail() + attributes + "\n";
}

std::string module_text(const Row& row, const Form& form) {
  const std::string operation = row.operation, order = std::string("order ") + row.order;
  const char* const all = std::string(row.memory).ends_with(" all") ? ", orders_all" : "";
  const std::string attributes = std::string(all) + ", scope " + row.scope + ", " + order;
  if (operation == "load") return module_of(load_text(form, attributes));
  if (operation == "store") return module_of(store_text(form, attributes));
  if (operation == "fence") {
    return module_of("  memory_barrier buffer, image, shared, scope " + std::string(row.scope) + ", " + order + "\n");
  }
  const std::string atomic = form.image ? "image_atomic." : "atomic_add.";
  return module_of(std::string("  %x: ") + form.type + " = " + atomic + form.where + ", " + form.value +
                   form.atomic_tail() + attributes + "\n" + (operation == "rmw" ? "" : use_of_x(form)));
}

std::string cache_words(const isa::Modifiers& mods, bool atomic) {
  static constexpr const char* kScopes[] = {"", " SE", " DEV", " SYS"};
  std::string words;
  if (mods.glc && !atomic) words += " glc";  // of an atomic: returns the old value
  if (mods.slc) words += " slc";
  if (mods.dlc) words += " dlc";
  if (mods.th != 0 && !atomic) words += " NT";
  return words + kScopes[mods.scope];
}

void add_waits(int32_t mask, bool has_vscnt, Tokens& steps) {
  if ((mask & mir::kWaitLgkm) != 0) steps.push_back("L");
  if ((mask & mir::kWaitVmLoad) != 0 || (!has_vscnt && (mask & mir::kWaitVmStore) != 0)) steps.push_back("V");
  if (has_vscnt && (mask & mir::kWaitVmStore) != 0) steps.push_back("VS");
}

Tokens selected_steps(const std::string& text, const Configuration& configuration) {
  Result<ir::Module> module = ir::parse(text);
  if (!module) {
    ADD_FAILURE() << module.error().message << "\n" << text;
    return {};
  }
  const isa::Target& target = *isa::find_target(configuration.target);
  CompileContext context;
  analysis::AnalysisCache analyses(module->functions[0], &context.arena);
  const analysis::Divergence divergence =
      analysis::analyze_divergence(module->functions[0], *module, analyses, context);
  SelectConfig config;
  config.scratch = {isa::sgpr(0), 16, isa::sgpr(15)};
  config.wave_size = 64;
  config.wgp_mode = configuration.wgp;
  const Result<mir::Function> function =
      select_function(*module, divergence, analyses.loops(), target, config, context);
  if (!function) {
    ADD_FAILURE() << function.error().message;
    return {};
  }
  Tokens steps;
  for (mir::InstId id : function->blocks[function->layout.front()].insts) {
    const mir::Inst& inst = function->insts[id];
    const uint8_t buffer_or_shared = mir::kReadsBuffer | mir::kWritesBuffer | mir::kReadsShared | mir::kWritesShared;
    switch (inst.opcode) {
      case mir::Opcode::p_wait:
        add_waits(inst.simm16, target.has_vscnt, steps);
        break;
      case mir::Opcode::buffer_wbinvl1_vol:
      case mir::Opcode::global_inv:
        steps.push_back("INV" + cache_words(function->modifiers(inst), false));
        break;
      case mir::Opcode::buffer_gl0_inv:
        steps.push_back("INV0");
        break;
      case mir::Opcode::buffer_gl1_inv:
        steps.push_back("INV1");
        break;
      default:
        if ((inst.memory & buffer_or_shared) != 0) {
          steps.push_back("op" + cache_words(function->modifiers(inst), mir::has_flag(inst.opcode, isa::kAtomic)));
        }
    }
  }
  return steps;
}

bool is_wait(const std::string& step) {
  return step == "V" || step == "VS" || step == "L";
}

/// The one difference: at workgroup scope in CU mode the tables skip waits, because all waves of the workgroup take the
/// same caches in order. Waves of other workgroups do not, and must see what was released here and then passed on, so
/// the waits stay (docs/isa-errata.md, "Memory model against clang").
bool may_wait_more(const Row& row, const Configuration& configuration) {
  return row.scope == std::string("workgroup") && !configuration.wgp;
}

/// Whether `ours` is `table` with further waits.
bool has_only_more_waits(const Tokens& ours, const Tokens& table) {
  size_t next = 0;
  for (const std::string& step : ours) {
    if (next < table.size() && step == table[next]) {
      ++next;
    } else if (!is_wait(step)) {
      return false;
    }
  }
  return next == table.size();
}

std::string text_of(const Tokens& steps) {
  std::string text;
  for (const std::string& step : steps) text += step + "; ";
  return text;
}

std::span<const Form> forms_of(const Row& row) {
  if (row.operation == std::string("fence")) return {kBufferForms, 1};
  return row.memory[0] == 's' ? std::span<const Form>(kSharedForms) : kBufferForms;
}

void check(std::span<const Row> rows, const Configuration& configuration) {
  for (const Row& row : rows) {
    const Tokens table = expected_steps(row, configuration);
    for (const Form& form : forms_of(row)) {
      const Tokens ours = selected_steps(module_text(row, form), configuration);
      if (ours == table || (may_wait_more(row, configuration) && has_only_more_waits(ours, table))) continue;
      ADD_FAILURE() << configuration.target << (configuration.wgp ? " wgp: " : ": ") << row.operation << ' '
                    << row.order << ' ' << row.scope << ' ' << row.memory << ", " << form.name
                    << "\n  table: " << text_of(table) << "\n  ours:  " << text_of(ours);
    }
  }
}

/// Loads or stores that are not atomic, in every form.
void check_plain(const Configuration& configuration, bool store, const std::string& attributes, const Tokens& steps) {
  for (const std::span<const Form> forms : {std::span<const Form>(kBufferForms), std::span<const Form>(kNarrowForms)}) {
    for (const Form& form : forms) {
      const std::string body = store ? store_text(form, attributes) : load_text(form, attributes);
      EXPECT_EQ(selected_steps(module_of(body), configuration), steps)
          << configuration.target << (configuration.wgp ? " wgp" : "") << attributes << (store ? " store, " : " load, ")
          << form.name;
    }
  }
}

TEST(MemoryModel, Gfx9) {
  check(kGfx9, {"gfx900", false});
}

TEST(MemoryModel, Gfx10) {
  check(kGfx10, {"gfx1010", false});
  check(kGfx10, {"gfx1030", true});
}

TEST(MemoryModel, Gfx11) {
  check(kGfx10, {"gfx1100", false});
  check(kGfx10, {"gfx1100", true});
}

TEST(MemoryModel, Gfx12) {
  check(kGfx12, {"gfx1200", false});
  check(kGfx12, {"gfx1200", true});
}

/// Non-atomic accesses: "volatile" waits after the access, "nontemporal" has bits of its own (the tables' rows "load
/// non-atomic" and "store non-atomic"; clang 19 emits the same).
TEST(MemoryModel, VolatileAndNonTemporal) {
  struct Plain {
    const char* target;
    const char* flag;
    bool store;
    Tokens steps;
  };
  const Plain kPlain[] = {
      {"gfx900", "volatile", false, {"op glc", "V"}},      {"gfx900", "volatile", true, {"op", "V"}},
      {"gfx900", "non_temporal", false, {"op glc slc"}},   {"gfx900", "non_temporal", true, {"op glc slc"}},
      {"gfx1030", "volatile", false, {"op glc dlc", "V"}}, {"gfx1030", "volatile", true, {"op", "VS"}},
      {"gfx1030", "non_temporal", false, {"op slc"}},      {"gfx1030", "non_temporal", true, {"op glc slc"}},
      {"gfx1100", "volatile", false, {"op glc dlc", "V"}}, {"gfx1100", "volatile", true, {"op dlc", "VS"}},
      {"gfx1100", "non_temporal", false, {"op slc dlc"}},  {"gfx1100", "non_temporal", true, {"op glc slc dlc"}},
      {"gfx1200", "volatile", false, {"op SYS", "V"}},     {"gfx1200", "volatile", true, {"op SYS", "VS"}},
      {"gfx1200", "non_temporal", false, {"op NT"}},       {"gfx1200", "non_temporal", true, {"op NT"}},
  };
  for (const Plain& plain : kPlain) {
    check_plain({plain.target, false}, plain.store, std::string(", ") + plain.flag, plain.steps);
  }
}

/// Accesses that others are to see without being atomic go as far as relaxed atomics of the scope: a load past the
/// caches that the others do not share, a store to the first one that they do.
TEST(MemoryModel, MadeVisibleAndAvailable) {
  for (const char* const target : {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1200"}) {
    const std::span<const Row> rows = target == std::string("gfx900")    ? std::span<const Row>(kGfx9)
                                      : target == std::string("gfx1200") ? std::span<const Row>(kGfx12)
                                                                         : std::span<const Row>(kGfx10);
    for (const bool wgp : {false, true}) {
      const Configuration configuration{target, wgp};
      if (wgp && rows.data() == kGfx9) continue;
      for (const Row& row : rows) {
        const bool store = row.operation == std::string("store");
        if (row.order != std::string("relaxed") || !(store || row.operation == std::string("load"))) continue;
        const Tokens steps = expected_steps(row, configuration);
        const std::string scope = std::string(", scope ") + row.scope;
        check_plain(configuration, store, (store ? ", make_available" : ", make_visible") + scope, steps);
        if (row.scope != std::string("device")) continue;
        check_plain(configuration, store, ", coherent" + scope, steps);
      }
    }
  }
}

}  // namespace
}  // namespace spalt::select
