// SPDX-License-Identifier: MIT
#include "redundant.h"

#include <string_view>

namespace spalt::litmus {
namespace {

enum class Where : uint8_t {
  anywhere,
  in_one_group,
  data_alone  ///< flags are in images, and data are not
};

struct Row {
  std::string_view configuration;  ///< part of its name
  Where where;
  std::string_view element;  ///< part of its name without forms
  const char* reason;
};

// docs/abi/amdgpu.md: vector memory instructions of a compute unit share its cache, which orders them.
constexpr const char* kOneUnit = "the waves share a compute unit, which takes accesses in order";
constexpr const char* kOneArray = "the waves share a shader array and its GL1";
// docs/abi/amdgpu.md#memory-model-of-gfx12: global_wb may be left out on gfx120x, which means that no cache above the
// L2 keeps what was stored.
constexpr const char* kThrough = "stores and atomics are complete in the L2 whatever their scope";
// Loads that make themselves visible, in tests with an acquire before them.
constexpr const char* kEmptied = "an invalidation has emptied the caches before the load";
constexpr const char* kSharedInOrder = "the LDS accesses of a wave happen in order";

/// Our code waits and invalidates at device scope although the threads happen to be close to each other, and in CU mode
/// waits at workgroup scope as well (MemoryModel::release).
constexpr Row kRows[] = {
    {" CU", Where::in_one_group, "vmcnt between", kOneUnit},
    {" CU", Where::in_one_group, "vscnt between", kOneUnit},
    {" CU", Where::in_one_group, "loadcnt between", kOneUnit},
    {" CU", Where::in_one_group, "storecnt between", kOneUnit},
    {" CU", Where::in_one_group, "buffer_wbinvl1_vol", kOneUnit},
    {" CU", Where::in_one_group, "buffer_gl0_inv", kOneUnit},
    {" CU", Where::in_one_group, "buffer_gl1_inv", kOneUnit},
    {" CU", Where::in_one_group, "global_inv", kOneUnit},
    {" CU", Where::in_one_group, "glc of", kOneUnit},
    {" CU", Where::in_one_group, "dlc of", kOneUnit},
    {" CU", Where::in_one_group, "scope of", kOneUnit},
    {" WGP", Where::in_one_group, "buffer_gl1_inv", kOneArray},
    {" WGP", Where::in_one_group, "dlc of", kOneArray},
    {"gfx1200", Where::anywhere, "scope of store", kThrough},
    {"gfx1200", Where::anywhere, "scope of atomic", kThrough},
    {"gfx1200", Where::anywhere, "scope of returning atomic", kThrough},
    {"", Where::data_alone, "glc of load", kEmptied},
    {"", Where::data_alone, "dlc of load", kEmptied},
    {"", Where::data_alone, "scope of load", kEmptied},
    {"", Where::anywhere, "between LDS store and LDS store", kSharedInOrder},
    {"", Where::anywhere, "between LDS load and LDS load", kSharedInOrder},
};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Forms of accesses take the same way to memory.
std::string without_forms(std::string element) {
  for (const std::string_view form : {"global ", "image ", "texel "}) {
    for (size_t at = element.find(form); at != std::string::npos; at = element.find(form))
      element.erase(at, form.size());
  }
  return element;
}

bool applies(Where where, const Variant& variant) {
  if (where == Where::in_one_group) return variant.place == Place::waves;
  return where == Where::anywhere || (variant.flags.has_texels() && !variant.data.has_texels());
}

}  // namespace

const char* why_redundant(const std::string& element, const std::string& configuration, const Variant& variant) {
  const std::string name = without_forms(element);
  for (const Row& row : kRows) {
    if (applies(row.where, variant) && has(configuration, row.configuration) &&
        has(row.where == Where::data_alone ? element : name, row.element))
      return row.reason;
  }
  return nullptr;
}

}  // namespace spalt::litmus
