import type { Frame } from '../../state/frame.js';
import type { Numbered } from '../../syntax/unit.js';

/** The frame with which a node begins to run. */
export function frameOf(source: number, number: number, node: Numbered): Frame {
  // Without spreading: a loop makes some of these in each iteration.
  if (node.type === 'Command') return commandFrame(source, number);
  if (node.type === 'CompoundList' || node.type === 'Statement')
    return { type: 'list', index: 0, source, node: number };
  const at = { source, node: number };
  switch (node.type) {
    case 'AndOr':
      return { type: 'and-or', index: 0, ...at };
    case 'Pipeline':
      return { type: 'pipeline', phase: 'run', startedAt: 0, ...at };
    case 'Redirected':
      return { type: 'redirected', phase: 'expand', memo: [], redirections: [], saved: [], ...at };
    case 'Subshell':
      return { type: 'subshell', phase: 'run', ...at };
    case 'If':
      return { type: 'if', index: 0, ...at };
    case 'While':
      return { type: 'while', phase: 'start', last: 0, ...at };
    case 'For':
      return { type: 'for', phase: 'expand', memo: [], index: 0, words: [], fields: [], last: 0, ...at };
    case 'ArithmeticFor':
      return { type: 'arithmetic-for', phase: 'initialize', memo: [], last: 0, ...at };
    case 'Select':
      return { type: 'select', phase: 'expand', memo: [], words: [], fields: [], last: 0, ...at };
    case 'Case':
      return { type: 'case', phase: 'expand', memo: [], item: 0, pattern: 0, subject: [], ...at };
    case 'TestCommand':
      return { type: 'test', texts: [], memo: [], ...at };
    case 'ArithmeticCommand':
      return { type: 'arithmetic', memo: [], ...at };
    case 'BraceGroup':
    case 'Function':
    case 'Coproc':
      return { type: 'group', ...at };
  }
}

const commandFrame = (source: number, node: number): Frame => ({
  type: 'command',
  phase: 'expand',
  memo: [],
  words: [],
  redirections: [],
  assignments: [],
  saved: [],
  variables: {},
  source,
  node,
});
