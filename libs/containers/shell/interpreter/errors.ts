import type { Shell } from './shell.js';

/** Whether the command may fail without `set -e` and the ERR trap: in a condition, before && and ||, after !. */
export function isIgnoringErrors(shell: Shell): boolean {
  for (const frame of shell.state.frames) {
    switch (frame.type) {
      case 'and-or': {
        const node = shell.nodeOf(frame);
        if (node.type === 'AndOr' && frame.index < node.commands.length) return true;
        break;
      }
      case 'if':
        // Odd: a test is under way.
        if (frame.index % 2 === 1) return true;
        break;
      case 'while':
        if (frame.phase === 'test') return true;
        break;
      case 'pipeline': {
        const node = shell.nodeOf(frame);
        if (node.type === 'Pipeline' && node.prefixes.some((prefix) => prefix.type === 'Negation')) return true;
        break;
      }
    }
  }
  return shell.state.ignoresErrors;
}

/** Ends a command with its status: a failure runs the ERR trap, and with `set -e` ends the shell. */
export function finishCommand(shell: Shell, status: number): void {
  shell.state.status = status;
  if (status === 0) return;
  const trap = shell.isBash ? shell.state.traps['ERR'] : undefined;
  if (!shell.option('e') && !trap) return;
  if (isIgnoringErrors(shell)) return;
  const isInFunction = shell.state.frames.some((frame) => frame.type === 'call');
  const isTrapping = shell.state.frames.some((frame) => frame.type === 'trap' && frame.signal === 'ERR');
  if (trap && !isTrapping && (!isInFunction || shell.option('E'))) {
    pushTrap(shell, 'ERR', trap, shell.option('e'));
    return;
  }
  if (shell.option('e')) shell.exit(status);
}

/** Traps in which $LINENO is the line of what they follow or precede. */
const LINE_TRAPS: ReadonlySet<string> = new Set(['ERR', 'DEBUG', 'RETURN']);

/** Runs the command of a trap; afterwards $? is what it was. */
export function pushTrap(shell: Shell, signal: string, action: string, ends: boolean): void {
  const { state } = shell;
  state.frames.push({ type: 'trap', status: state.status, line: state.line, ends, signal });
  const source = shell.addSource({
    text: action,
    line: LINE_TRAPS.has(signal) ? state.line : 1,
    name: '',
    kind: 'trap',
  });
  state.frames.push({ type: 'script', source, at: 0, kind: 'trap', positional: null });
}
