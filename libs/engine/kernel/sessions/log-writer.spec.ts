import { expect, test } from '@jest/globals';
import type { Log } from '../container-state.js';
import { FileTree } from '../files/tree.js';
import type { State } from '../state.js';
import { addOutput, emptyLog } from './log.js';
import { LogWriter } from './log-writer.js';

const AT = 1_767_225_600_000;
const LONG = 20_000;

function emptyState(): { readonly state: State; readonly log: Log; readonly tree: FileTree } {
  const tree = new FileTree('log');
  return { state: { now: AT, trees: new Map([['log', tree]]) } as unknown as State, log: emptyLog('log'), tree };
}

test.each<[string, readonly string[]]>([
  ['lines', ['a\n', 'b\n', '\n']],
  ['several lines at once', ['a\nb\n', 'c\n']],
  ['a line in pieces, with whole ones of the other stream between', ['a', '!x\n', 'b\n', 'c\n']],
  ['pieces without an end', ['a\n', 'b']],
  ['lines that are longer than an entry', [`${'x'.repeat(LONG)}\n`, 'a\n']],
  ['more than the tail holds', Array.from({ length: 1_000 }, (_, i) => `line ${i} of a thousand that are alike\n`)],
])('%s are written as one after the other', (_what, pieces) => {
  const [one, many] = [emptyState(), emptyState()];
  const writer = new LogWriter(many.state, many.log);
  for (const [i, piece] of pieces.entries()) {
    const [stream, bytes] = piece.startsWith('!')
      ? (['stderr', piece.slice(1)] as const)
      : (['stdout', piece] as const);
    one.state.now = AT + i * 1_001;
    addOutput(one.state, one.log, stream, bytes);
    writer.add(stream, bytes, AT + i * 1_001);
  }
  writer.settle();
  expect(many.log).toEqual(one.log);
  const filesOf = (tree: FileTree): unknown => tree.names('/').map((name) => tree.node(tree.find('/', name)!));
  expect(filesOf(many.tree)).toEqual(filesOf(one.tree));
});
