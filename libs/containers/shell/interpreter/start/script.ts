import type { FrameOf } from '../../state/frame.js';
import { describeProblem, type Problem } from '../../syntax/problem.js';
import { readCommands } from '../../syntax/reader.js';
import { lineOf } from '../../syntax/unit.js';
import { runReturnTrap } from '../hooks.js';
import type { Shell } from '../shell.js';
import type { Bytes } from '../../kernel.js';
import type { Source } from '../../state/state.js';

/** Runs a text: as much of it as can be read at once. */
export function stepScript(shell: Shell, frame: FrameOf<'script'>): void {
  const source = shell.state.sources[frame.source]!;
  const rest = frame.at === 0 ? source.text : source.text.slice(frame.at);
  if (rest.trim() === '') {
    endScript(shell, frame);
    return;
  }
  shell.sys.charge(4 + (rest.length >> 6));
  const reading = readCommands(shell.state.flavour, rest);
  const line = lineOf(source.text, frame.at, source.line);
  if (reading.problem) {
    reportProblem(shell, { ...source, text: rest, line }, reading.problem);
    if (shell.isBash && frame.kind !== 'main') endScript(shell, frame);
    else shell.exit(2);
    if (shell.isBash && frame.kind !== 'main')
      shell.state.status = frame.kind === 'trap' ? shell.state.status : 1 + Number(shell.isBash);
    return;
  }
  if (shell.option('v') && frame.kind !== 'eval') shell.write(2, rest.slice(0, reading.length));
  frame.at += reading.length;
  if (shell.option('n') && !shell.state.isInteractive) return;
  const isSame = reading.text === source.text;
  const id = isSame ? frame.source : shell.addSource({ ...source, text: reading.text, line });
  shell.push({ type: 'list', source: id, node: 0, index: 0 });
}

function endScript(shell: Shell, frame: FrameOf<'script'>): void {
  if (runReturnTrap(shell, frame)) {
    frame.at = shell.state.sources[frame.source]!.text.length;
    return;
  }
  if (frame.positional) shell.state.positional = frame.positional;
  shell.pop();
}

/** Prints a syntax error in the words of the shell. */
export function reportProblem(shell: Shell, source: Source, problem: Problem): void {
  const { state } = shell;
  const { messages, at } = describeProblem(state.flavour, source.text, problem);
  const isBeyond = at > source.text.length;
  const end = source.text.endsWith('\n') ? 0 : 1;
  const line = lineOf(source.text, at, source.line) + (isBeyond ? end : 0);
  state.line = line;
  for (const message of messages) shell.write(2, prefixOf(shell, source, line) + message + '\n');
}

function prefixOf(shell: Shell, source: Source, line: number): Bytes {
  const { name, isInteractive, mode } = shell.state;
  const shown = source.name === '' || source.name.startsWith('alias ') ? name : source.name;
  if (shell.isDash) return `${shown}: ${line}: ${source.kind === 'eval' ? 'eval: ' : ''}`;
  if (shell.isAsh) {
    if (source.kind === 'eval') return `${shown}: eval: line ${mode === 'script' ? line : 0}: `;
    return mode === 'script' ? `${shown}: line ${line}: ` : `${shown}: `;
  }
  if (source.kind === 'eval') return `${shown}: eval: line ${line}: `;
  if (source.kind === 'command') return `${shown}: -c: line ${line}: `;
  return isInteractive ? `${shown}: ` : `${shown}: line ${line}: `;
}
