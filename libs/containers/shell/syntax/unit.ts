import { LRUCache } from 'lru-cache';
import {
  type CommandNode,
  type CompoundList,
  parse,
  type ParseError,
  type PipelineNode,
  type Statement,
  type Word,
  type WordPart,
} from 'unbash';
import type { Bytes } from '../kernel.js';

/** A node that a frame can refer to, by its number in the unit. */
export type Numbered = CompoundList | Statement | CommandNode | PipelineNode | Statement['command'];

/** A text with its syntax. Node 0 is the list of all its statements. */
export interface Unit {
  readonly text: Bytes;
  readonly nodes: readonly Numbered[];
  readonly numbers: ReadonlyMap<Numbered, number>;
  readonly errors: readonly ParseError[];
}

const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;

const sizeOf = (_: unknown, text: Bytes): number => text.length + 1;

// A pure function of the text: nothing of a cluster can be reached from here but texts that a process could parse anew.
// oxlint-disable-next-line house/no-module-state
const units = new LRUCache<Bytes, Unit>({ maxSize: MAX_CACHED_CHARACTERS, sizeCalculation: sizeOf });

// As above.
// oxlint-disable-next-line house/no-module-state
const words = new LRUCache<Bytes, Word>({ maxSize: MAX_CACHED_CHARACTERS / 4, sizeCalculation: sizeOf });

// As above.
// oxlint-disable-next-line house/no-module-state
const quotedTexts = new LRUCache<Bytes, readonly WordPart[]>({
  maxSize: MAX_CACHED_CHARACTERS / 4,
  sizeCalculation: sizeOf,
});

/** The syntax of a text by bash's grammar. A walk numbers the nodes: the same text has the same numbers. */
export function parseUnit(text: Bytes): Unit {
  let unit = units.get(text);
  if (!unit) units.set(text, (unit = numberNodes(text)));
  return unit;
}

function numberNodes(text: Bytes): Unit {
  const script = parse(text);
  const nodes: Numbered[] = [];
  const numbers = new Map<Numbered, number>();
  const add = (node: Numbered): void => {
    numbers.set(node, nodes.length);
    nodes.push(node);
  };
  const walk = (node: Numbered): void => {
    add(node);
    for (const child of childrenOf(node)) walk(child);
  };
  walk({ type: 'CompoundList', pos: script.pos, end: script.end, commands: script.commands });
  return { text, nodes, numbers, errors: script.errors ?? [] };
}

/** Nodes below a node that are commands or lists of them, without those within words. */
export function childrenOf(node: Numbered): readonly Numbered[] {
  switch (node.type) {
    case 'CompoundList':
    case 'AndOr':
    case 'Pipeline':
      return node.commands;
    case 'Statement':
    case 'Redirected':
      return [node.command];
    case 'If': {
      const branches = node.elif.flatMap((branch) => [branch.clause, branch.then]);
      return [node.clause, node.then, ...branches, ...(node.else ? [node.else] : [])];
    }
    case 'While':
      return [node.clause, node.body];
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
    case 'Subshell':
    case 'BraceGroup':
    case 'Function':
    case 'Coproc':
      return [node.body];
    case 'Case':
      return node.items.map((item) => item.body);
    default:
      return [];
  }
}

/** One word of a command line: its text as it would stand there. */
export function parseWord(text: Bytes): Word {
  let word = words.get(text);
  if (!word) {
    const command = parse(`: ${text}`).commands[0]?.command;
    const first = command?.type === 'Command' ? command.suffix[0] : undefined;
    word = first?.type === 'Word' ? first : { type: 'Word', text, value: text, pos: 0, end: text.length };
    words.set(text, word);
  }
  return word;
}

/** A text in which $ and ` and \ before these act, but no quotes: a here-document, arithmetic, a prompt. */
export function parseQuotedText(text: Bytes): readonly WordPart[] {
  let parts = quotedTexts.get(text);
  if (!parts) {
    const command = parse(`<<\u0001\n${text}\n\u0001\n`).commands[0]?.command;
    const document = command?.type === 'Command' ? command.redirects[0] : undefined;
    const body = document?.type === 'HereDoc' ? document.body : undefined;
    parts = body?.parts ?? [{ type: 'Literal', pos: 0, end: 0, text: text + '\n', value: text + '\n' }];
    quotedTexts.set(text, parts);
  }
  return parts;
}

/** The line of a position, from `first` on. */
export function lineOf(text: Bytes, position: number, first: number): number {
  let line = first;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
