# SPDX-License-Identifier: MIT
"""EXP: exports. The target and the enable mask are modifiers; a source that is not enabled is OperandKind::none."""
from isa.table import op

op('exp', '', 'v:b32 v:b32 v:b32 v:b32', flags='side_effects reads_exec')
