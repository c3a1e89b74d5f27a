import type { ArithmeticFor, Case, For, Select, Word } from 'unbash';
import { Expansion } from '../../expansion/expansion.js';
import { compilePattern, matchPattern } from '../../expansion/pattern.js';
import { quoteWhereNeeded } from '../../expansion/quote.js';
import type { Bytes } from '../../kernel.js';
import type { FrameOf } from '../../state/frame.js';
import { expandFields, expandItems } from './expand.js';
import { ShellFailure } from '../failure.js';
import type { Shell } from '../shell.js';
import { trace } from '../trace.js';
import { isName } from '../variables.js';

export function stepFor(shell: Shell, frame: FrameOf<'for'>): void {
  const node = shell.nodeOf(frame) as For;
  const name = node.name.value;
  if (frame.phase === 'expand') {
    shell.enter(frame.source, node.pos);
    if (!isName(name)) {
      throw shell.isBash
        ? new ShellFailure(`\`${name}': not a valid identifier`, 1, 'command')
        : new ShellFailure('Syntax error: Bad for loop variable', 2, 'shell');
    }
    if (node.wordlist) expandItems(shell, frame, node.wordlist, frame.words, expandFields);
    frame.fields = node.wordlist ? frame.words.flat() : [...shell.state.positional];
    frame.phase = 'body';
  } else frame.last = shell.state.status;
  const value = frame.fields[frame.index];
  if (value === undefined) {
    shell.pop(frame.last);
    return;
  }
  frame.index++;
  shell.set(name, undefined, value);
  if (shell.isBash && shell.option('x')) {
    const words = node.wordlist ? ` in ${node.wordlist.map((word) => word.text).join(' ')}` : '';
    trace(shell, `for ${name}${words}`);
  }
  shell.pushNode(frame.source, node.body);
}

/** for ((a; b; c)): its expressions are read from the text, since they are expanded as text. */
export function stepArithmeticFor(shell: Shell, frame: FrameOf<'arithmetic-for'>): void {
  const node = shell.nodeOf(frame) as ArithmeticFor;
  const evaluate = (expression: { readonly pos: number; readonly end: number } | undefined): Bytes => {
    if (!expression) return '1';
    const text = shell.textOf(frame.source, expression);
    const value = new Expansion(shell, frame.memo, text).arithmetic(text);
    frame.memo = [];
    return value;
  };
  switch (frame.phase) {
    case 'initialize':
      shell.enter(frame.source, node.pos);
      evaluate(node.initialize);
      frame.phase = 'test';
      return;
    case 'test':
      if (evaluate(node.test) === '0') {
        shell.pop(frame.last);
        return;
      }
      frame.phase = 'body';
      shell.pushNode(frame.source, node.body);
      return;
    case 'body':
      frame.last = shell.state.status;
      frame.phase = 'update';
      return;
    case 'update':
      evaluate(node.update);
      frame.phase = 'test';
  }
}

export function stepSelect(shell: Shell, frame: FrameOf<'select'>): void {
  const node = shell.nodeOf(frame) as Select;
  if (frame.phase === 'expand') {
    if (node.wordlist) expandItems(shell, frame, node.wordlist, frame.words, expandFields);
    frame.fields = node.wordlist ? frame.words.flat() : [...shell.state.positional];
    if (frame.fields.length === 0) {
      shell.pop(0);
      return;
    }
    showMenu(shell, frame.fields);
    frame.phase = 'ask';
  }
  if (frame.phase === 'ask') {
    shell.write(2, shell.get('PS3') ?? '#? ');
    frame.phase = 'answer';
    shell.push({ type: 'builtin', name: 'read', argv: ['read', '-r', 'REPLY'], data: {} });
    return;
  }
  frame.phase = 'ask';
  if (shell.state.status !== 0) {
    shell.write(1, '\n');
    shell.pop(1);
    return;
  }
  const reply = shell.get('REPLY') ?? '';
  if (reply === '') {
    showMenu(shell, frame.fields);
    return;
  }
  shell.set(node.name.value, undefined, /^\d+$/.test(reply) ? (frame.fields[Number(reply) - 1] ?? '') : '');
  shell.pushNode(frame.source, node.body);
}

/** In columns, as bash prints them. */
function showMenu(shell: Shell, fields: readonly Bytes[]): void {
  const digits = String(fields.length).length;
  const items = fields.map((field, i) => `${String(i + 1).padStart(digits)}) ${field}`);
  const width = Math.max(...items.map((item) => item.length)) + 2;
  const columns = items.length < 20 && width > 20 ? 1 : Math.max(1, Math.floor(80 / width));
  const rows = Math.ceil(items.length / columns);
  if (rows === 1 || columns === 1) {
    const isShort = items.length * width <= 80 && rows === 1;
    shell.write(2, isShort ? items.map((item) => item + '\n').join('') : items.join('\n') + '\n');
    return;
  }
  for (let row = 0; row < rows; row++) {
    const line = items.filter((_, i) => i % rows === row).map((item) => item.padEnd(width));
    shell.write(2, line.join('').trimEnd() + '\n');
  }
}

export function stepCase(shell: Shell, frame: FrameOf<'case'>): void {
  const node = shell.nodeOf(frame) as Case;
  if (frame.phase === 'expand') {
    shell.enter(frame.source, node.pos);
    expandItems(shell, frame, [node.word], frame.subject, (expansion, word: Word) => expansion.text(word));
    if (shell.isBash) trace(shell, `case ${quoteWhereNeeded(frame.subject[0]!)} in`);
    frame.phase = 'match';
  }
  if (frame.phase === 'next') {
    const terminator = node.items[frame.item]?.terminator;
    frame.item++;
    if (terminator === ';&' && frame.item < node.items.length) {
      shell.pushNode(frame.source, node.items[frame.item]!.body);
      return;
    }
    if (terminator !== ';;&') {
      shell.pop();
      return;
    }
    frame.pattern = 0;
  }
  for (; frame.item < node.items.length; frame.item++, frame.pattern = 0) {
    const item = node.items[frame.item]!;
    for (; frame.pattern < item.pattern.length; frame.pattern++) {
      const word = item.pattern[frame.pattern]!;
      const pattern = new Expansion(shell, frame.memo, word.text).pattern(word);
      frame.memo = [];
      if (!matches(shell, frame.subject[0]!, pattern)) continue;
      frame.phase = 'next';
      shell.state.status = 0;
      shell.pushNode(frame.source, item.body);
      return;
    }
  }
  shell.pop(frame.phase === 'next' ? undefined : 0);
}

export function matches(shell: Shell, text: Bytes, pattern: Bytes): boolean {
  shell.sys.charge(1 + ((text.length * (1 + pattern.length)) >> 6));
  return matchPattern(compilePattern(pattern, shell.isBash), text, { ignoreCase: shell.shopt('nocasematch') });
}
