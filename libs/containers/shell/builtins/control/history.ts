import type { Builtin } from '../../interpreter/builtin.js';
import { parseOptions } from '../arguments.js';

const history: Builtin = (shell, argv) => {
  const { options, operands } = parseOptions(shell, argv, 'cdanrwps');
  const { state } = shell;
  if (options['c'] !== undefined) {
    state.history = [];
    return 0;
  }
  const count = operands[0] === undefined ? state.history.length : Number(operands[0]);
  state.history.forEach((line, i) => {
    if (i >= state.history.length - count) shell.write(1, `${String(i + 1).padStart(5)}  ${line}\n`);
  });
  return 0;
};

export const bashHistory: Readonly<Record<string, Builtin>> = { history };
