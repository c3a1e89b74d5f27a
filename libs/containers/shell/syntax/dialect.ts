import { LRUCache } from 'lru-cache';
import type { Command, HereDoc } from 'unbash';
import type { Bytes } from '../kernel.js';
import type { Flavour } from '../state/state.js';
import { type Numbered, parseUnit } from './unit.js';
import type { Problem } from './problem.js';

const MAX_CACHED_CHARACTERS = 1024 * 1024;
const MAX_ROUNDS = 8;

// A pure function of flavour and text: nothing of a cluster can be reached from here.
// oxlint-disable-next-line house/no-module-state
const translations = new LRUCache<Bytes, Bytes>({
  maxSize: MAX_CACHED_CHARACTERS,
  sizeCalculation: (_, key) => key.length * 2 + 1,
});

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: Bytes;
}

/**
 * The text as bash's parser must see it so that it means what it means to dash or busybox: what is a keyword in bash
 * only becomes a word, (( two subshells, &> an & and a redirection. Lines stay lines.
 */
export function translateDialect(flavour: Flavour, text: Bytes): Bytes {
  if (flavour === 'bash' || !/\[\[|\(\(|&>|function|select|time|coproc/.test(text)) return text;
  const key = flavour + text;
  let translated = translations.get(key);
  if (translated === undefined) {
    translated = text;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const edits = parseUnit(translated).nodes.flatMap((node) => editsOf(flavour, translated!, node));
      if (edits.length === 0) break;
      translated = applyEdits(translated, edits);
    }
    translations.set(key, translated);
  }
  return translated;
}

function editsOf(flavour: Flavour, text: Bytes, node: Numbered): Edit[] {
  const asWord = (): Edit[] => [{ at: node.pos, length: 0, text: '\\' }];
  const redirects = node.type === 'Command' || node.type === 'Redirected' ? node.redirects : [];
  const both = redirects
    .filter((redirect) => flavour === 'dash' && (redirect.operator as string).startsWith('&>'))
    .map((redirect) => ({ at: redirect.pos, length: 1, text: '& ' }));
  switch (node.type) {
    case 'TestCommand':
    case 'Select':
    case 'Coproc':
      return asWord();
    case 'ArithmeticCommand':
      return [
        { at: node.pos, length: 2, text: '( (' },
        { at: node.end - 2, length: 2, text: ') )' },
      ];
    case 'Function':
      return flavour === 'dash' && text.startsWith('function', node.pos) ? asWord() : [];
    case 'Pipeline':
      return node.prefixes.some((prefix) => prefix.type === 'Time') && text.startsWith('time', node.pos)
        ? asWord()
        : [];
    default:
      return both;
  }
}

function applyEdits(text: Bytes, edits: readonly Edit[]): Bytes {
  let result = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.at - b.at)) {
    if (edit.at < at) continue;
    result += text.slice(at, edit.at) + edit.text;
    at = edit.at + edit.length;
  }
  return result + text.slice(at);
}

/** The first thing in a text that bash has and dash or busybox does not. */
export function findForeign(flavour: Flavour, text: Bytes): Problem | undefined {
  if (flavour === 'bash') return undefined;
  const token = (at: number, shown: Bytes): Problem => ({ kind: 'token', token: shown, expected: '', at });
  for (const node of parseUnit(text).nodes) {
    switch (node.type) {
      case 'ArithmeticFor': {
        const message =
          flavour === 'dash' ? 'Syntax error: Bad for loop variable' : 'syntax error: bad for loop variable';
        return { kind: 'other', message, at: node.pos };
      }
      case 'Pipeline':
        if (node.operators.includes('|&')) return token(node.pos, '&');
        break;
      case 'Case':
        if (node.items.some((item) => item.terminator === ';&' || item.terminator === ';;&'))
          return token(node.pos, '&');
        break;
      case 'Command': {
        const array = node.prefix.find((item) => item.type === 'Assignment' && item.value.type === 'ArrayValue');
        if (array) return token(array.pos, '(');
        const text = node.redirects.find((redirect) => redirect.operator === '<<<');
        if (text) return token(text.pos, '<<<');
        const argument = node.suffix.find((item) => item.type === 'Assignment' && item.value.type === 'ArrayValue');
        if (argument) return token(argument.pos, '(');
      }
    }
  }
  return undefined;
}

/** Whether a here-document of the text has no end yet. */
export function hasOpenDocument(text: Bytes): boolean {
  return parseUnit(text).nodes.some((node) => {
    const redirects = node.type === 'Command' || node.type === 'Redirected' ? (node as Command).redirects : [];
    return redirects.some((redirect) => (redirect as HereDoc).type === 'HereDoc' && !(redirect as HereDoc).closing);
  });
}
