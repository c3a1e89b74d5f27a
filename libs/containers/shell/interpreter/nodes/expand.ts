import type { ArrayValue, Assignment, Redirection, Word } from 'unbash';
import { Expansion } from '../../expansion/expansion.js';
import type { Bytes } from '../../kernel.js';
import type { ExpandedAssignment, ExpandedRedirection, Memo } from '../../state/frame.js';
import { parseQuotedText, parseWord } from '../../syntax/unit.js';
import type { Shell } from '../shell.js';

/**
 * Expands the items that are not done yet. It stops with CommandNeeded where a command has to run first, and goes on
 * with that item when it is called again.
 */
export function expandItems<Item extends { readonly text: Bytes }, Result>(
  shell: Shell,
  frame: { memo: Memo },
  items: readonly Item[],
  done: Result[],
  expand: (expansion: Expansion, item: Item) => Result,
): void {
  while (done.length < items.length) {
    const item = items[done.length]!;
    done.push(expand(new Expansion(shell, frame.memo, item.text), item));
    frame.memo = [];
  }
}

export const expandFields = (expansion: Expansion, word: Word): Bytes[] => expansion.fields(word);

interface RedirectionItem {
  readonly text: Bytes;
  readonly redirection: Redirection;
}

/** Redirections as items: their text says whether commands have to run for them. */
export const redirectionItems = (redirections: readonly Redirection[]): RedirectionItem[] =>
  redirections.map((redirection) => ({
    text: redirection.type === 'HereDoc' ? redirection.body.text : (redirection.target?.text ?? ''),
    redirection,
  }));

export function expandRedirection(expansion: Expansion, { redirection }: RedirectionItem): ExpandedRedirection {
  const { operator, descriptor } = redirection;
  const number = descriptor?.type === 'FileDescriptor' ? descriptor.value : -1;
  const variable = descriptor?.type === 'FileDescriptorVariable' ? descriptor.name : '';
  return { operator, descriptor: number, variable, target: targetOf(expansion, redirection) };
}

function targetOf(expansion: Expansion, redirection: Redirection): Bytes {
  switch (redirection.operator) {
    case '<<':
    case '<<-': {
      const { body, delimiter } = redirection;
      const isStripped = redirection.operator === '<<-';
      if (delimiter?.quoted || !body.parts) {
        return plainBody(isStripped ? stripTabs(body.text) : body.text, delimiter?.quoted === true);
      }
      return expansion.quotedParts(isStripped ? parseQuotedText(stripTabs(body.text).replace(/\n$/, '')) : body.parts);
    }
    case '<<<':
      return redirection.target ? expansion.text(redirection.target) + '\n' : '\n';
    default:
      return redirection.target ? expansion.text(redirection.target) : '';
  }
}

const stripTabs = (text: Bytes): Bytes => text.replace(/^\t+/gm, '');

/** A body without expansions: a backslash still quotes. */
const plainBody = (text: Bytes, isQuoted: boolean): Bytes =>
  isQuoted ? text : text.replace(/\\([\\$`\n])/g, (_, character: string) => (character === '\n' ? '' : character));

export function expandAssignment(expansion: Expansion, assignment: Assignment): ExpandedAssignment {
  const { name, append, index, value } = assignment;
  const key = index ? expansion.operandText(index, false) : null;
  const isArray = value.type === 'ArrayValue';
  return {
    name,
    isAppended: append === true,
    index: key,
    value: isArray ? '' : expansion.text(value),
    elements: isArray ? expandElements(expansion, value) : null,
  };
}

function expandElements(expansion: Expansion, value: ArrayValue): NonNullable<ExpandedAssignment['elements']> {
  return value.elements.flatMap((word): NonNullable<ExpandedAssignment['elements']> => {
    const keyed = splitElement(word.text);
    if (!keyed) return expansion.fields(word).map((text) => ({ key: null, value: text, isAppended: false }));
    const key = expansion.text(parseWord(keyed.key));
    return [{ key, value: expansion.text(parseWord(keyed.value)), isAppended: keyed.isAppended }];
  });
}

/** [key]=value, with the bracket that belongs to the first one. */
function splitElement(text: Bytes): { key: Bytes; value: Bytes; isAppended: boolean } | undefined {
  if (!text.startsWith('[')) return undefined;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) {
      const isAppended = text.startsWith('+=', at + 1);
      if (!isAppended && text[at + 1] !== '=') return undefined;
      return { key: text.slice(1, at), value: text.slice(at + (isAppended ? 3 : 2)), isAppended };
    }
  }
  return undefined;
}
