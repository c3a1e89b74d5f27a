import { Expansion } from '../expansion/expansion.js';
import { quoteDash, quoteDouble, quoteSingle, quoteWhereNeeded } from '../expansion/quote.js';
import type { Bytes } from '../kernel.js';
import type { ExpandedAssignment } from '../state/frame.js';
import { CommandNeeded, ShellFailure } from './failure.js';
import type { Shell } from './shell.js';

/** `set -x`: shows a command before it runs. */
export function traceCommand(shell: Shell, assignments: readonly ExpandedAssignment[], argv: readonly Bytes[]): void {
  if (!shell.option('x')) return;
  const shown = assignments.map((assignment) => describeAssignment(shell, assignment));
  if (shell.isBash) {
    for (const text of shown) writeTrace(shell, text);
    if (argv.length > 0) writeTrace(shell, argv.map(quoteWhereNeeded).join(' '));
    return;
  }
  const quote = shell.isDash ? quotePlain : quoteAsh;
  writeTrace(shell, [...shown, ...argv.map(quote)].join(' '));
}

export function trace(shell: Shell, text: Bytes): void {
  if (shell.option('x')) writeTrace(shell, text);
}

function writeTrace(shell: Shell, text: Bytes): void {
  const prompt = expandPrompt(shell, shell.get('PS4') ?? '+ ');
  const depth = shell.isBash
    ? prompt
        .slice(0, 1)
        .repeat(shell.state.frames.filter((frame) => frame.type === 'script' && frame.kind === 'eval').length)
    : '';
  shell.write(2, `${depth}${prompt}${text}\n`);
}

function expandPrompt(shell: Shell, text: Bytes): Bytes {
  if (!text.includes('$')) return text;
  try {
    return new Expansion(shell, [], text).quotedText(text);
  } catch (error) {
    if (error instanceof CommandNeeded || error instanceof ShellFailure) return text;
    throw error;
  }
}

function describeAssignment(shell: Shell, assignment: ExpandedAssignment): Bytes {
  const { name, index, isAppended, value, elements } = assignment;
  const subscript = index === null ? '' : `[${index}]`;
  const operator = isAppended ? '+=' : '=';
  if (!elements)
    return `${name}${subscript}${operator}${shell.isBash ? quoteValue(value) : value === '' || shell.isAsh ? quoteAssigned(value) : quotePlain(value)}`;
  const items = elements.map((element) =>
    element.key === null ? quoteWhereNeeded(element.value) : `[${element.key}]=${quoteDouble(element.value)}`,
  );
  return `${name}${operator}(${items.join(' ')})`;
}

const quoteValue = (value: Bytes): Bytes => (value === '' ? '' : quoteWhereNeeded(value));

const quoteAssigned = (value: Bytes): Bytes => (value === '' ? '' : quoteAsh(value));

/** dash quotes nothing that has no blank or special character. */
const quotePlain = (text: Bytes): Bytes => text;

const KEYWORDS = new Set('! { } case do done elif else esac fi for if in then until while function'.split(' '));

/** busybox quotes what its parser would not take as it stands. */
const quoteAsh = (text: Bytes): Bytes => {
  if (text !== '' && !/[\0-*;<=>?[\\`{|}~\x7f]/.test(text) && !KEYWORDS.has(text)) return text;
  return text.includes("'") ? quoteDash(text) : quoteSingle(text);
};
