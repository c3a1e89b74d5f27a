import { type Bytes, bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { addOutput } from '../../../../tools/framework/output.js';
import { readSized, readWhole } from '../server/wire.js';
import { formatBatch, formatTable, formatVertical } from './format.js';
import { type State, fail } from './state.js';

export function showError(state: State, body: Bytes, ends: boolean): void {
  const number = readWhole(body, 1, 2);
  const text = textOf(body.slice(9));
  const line = `ERROR ${number} (${body.slice(4, 9)})${state.readsInput && !ends && state.line > 0 ? ` at line ${state.line}` : ends || state.readsInput ? '' : ' at line 1'}: ${text}`;
  // A server that refuses a user answers: that is what a ping asks.
  if (ends) return fail(state, line, text);
  addOutput(state.output, 2, bytesOf(`${line}\n`));
  state.pending = null;
  if (!state.isForced && !state.hasPrompt && !(state.readsInput && state.isInteractiveInput)) state.code = 1;
}

export function take(state: State, body: Bytes): void {
  const { pending } = state;
  if (pending === null) return;
  const first = body.charCodeAt(0);
  if (first === 0xff) return showError(state, body, false);
  if (pending.sql.startsWith('admin')) {
    state.pending = null;
    if (pending.sql.startsWith('admin status')) addOutput(state.output, 1, `${body}\n`);
    return;
  }
  if (pending.expected === 0) {
    if (first === 0) state.pending = null;
    else [pending.expected] = [readWhole(body, 0, 1)];
    if (first === 0 && state.isInteractiveInput) {
      const changes = body.charCodeAt(1);
      addOutput(state.output, 1, `Query OK, ${changes} row${changes === 1 ? '' : 's'} affected (0.00 sec)\n\n`);
    }
  } else if (first === 0xfe && body.length < 9) {
    if (pending.columns.length < pending.expected) return;
    if (pending.hasSeenEnd) finishRows(state);
    else pending.hasSeenEnd = true;
  } else if (pending.columns.length < pending.expected) {
    let at = 0;
    let name: Bytes | null = '';
    for (let i = 0; i < 5; i++) [name, at] = readSized(body, at);
    const [, after] = readSized(body, at);
    const type = body.charCodeAt(after + 7);
    pending.columns.push({ name: textOf(name ?? ''), isNumeric: [1, 2, 3, 4, 5, 8, 9, 13, 246].includes(type) });
  } else {
    const row: (string | null)[] = [];
    for (let at = 0; row.length < pending.columns.length;) {
      const [value, next] = readSized(body, at);
      row.push(value === null ? null : textOf(value));
      at = next;
    }
    pending.rows.push(row);
  }
}

function finishRows(state: State): void {
  const { columns, rows, isVertical } = state.pending!;
  state.pending = null;
  const isInteractive = state.isInteractiveInput;
  if (rows.length === 0) {
    if (isInteractive) addOutput(state.output, 1, 'Empty set (0.00 sec)\n\n');
    return;
  }
  let text;
  if (isVertical) text = formatVertical(columns, rows);
  else
    text = state.isTable ? formatTable(columns, rows, state.hasNoNames) : formatBatch(columns, rows, state.hasNoNames);
  if (isInteractive) text += `${rows.length} row${rows.length === 1 ? '' : 's'} in set (0.00 sec)\n\n`;
  addOutput(state.output, 1, bytesOf(text));
}
