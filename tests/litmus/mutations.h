// SPDX-License-Identifier: MIT
#pragma once
#include "outcomes.h"

namespace spalt::litmus {

/// Takes one element (elements.h) after another out of the code of the tests with a forbidden outcome. Each kind of
/// element must be missed by one of them, which then shows its forbidden outcome, or be listed as one that
/// cannot be missed (redundant.h).
Totals check_mutations(const Selection& selection);

}  // namespace spalt::litmus
