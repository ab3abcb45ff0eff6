// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/function.h"
#include "base/compile_context.h"

namespace spalt::opt {

/// Simplifies changes of exec where allocation left nothing to do between them:
///
///   m = s_andn1_saveexec c; (nothing); exec = s_andn2 m, exec; other side     -> m = s_and_saveexec c; other side
///   m = s_and_saveexec c; one side; exec = s_andn2 m, exec; (nothing); exec = s_or exec, m      -> without s_andn2
///   exec = op ...; (nothing); x = s_mov exec; (nothing); exec = s_mov y       -> x = op ...; exec = s_mov y
///   exec = op ...; (nothing); exec = s_mov y                                  -> exec = s_mov y
///   exec = op ...; (nothing); s_endpgm                                        -> s_endpgm
///
/// "Nothing" may hold scalar instructions that leave exec and m alone, such as masks of lanes that wait elsewhere, and
/// go over jumps between blocks. Requires Stage::allocated without pseudo operations other than jumps and markers, and
/// keeps it. Linear: a search stops at the first vector instruction.
void simplify_exec(mir::Function& function, CompileContext& context);

}  // namespace spalt::opt
