import type { Command, DoubleQuotedChild, Statement, Word, WordPart } from 'unbash';
import { isText, parseScript, scriptOf } from './shell-script.js';

/** What they do follows from their words: they read nothing, and ask nobody. */
const PROGRAMS = new Set('true false sleep echo date printf'.split(' '));
const COMMANDS = new Set([...PROGRAMS, ':', 'exit']);
/** Other options of date read files. */
const DATE_WORD = /^(?:\+|-u$|-I|-R$)/;
/** A loop goes round so often at most that it uses next to nothing. */
const FEW = /^\d{1,3}$/;

/**
 * Whether the course of a command line follows from itself and from the files of its image, whatever pod it runs in and
 * whenever: it takes the same time and ends with the same code. Some of what it prints may differ, as that of `date`.
 * False when that is not sure.
 */
export function isSelfContained(argv: readonly string[]): boolean {
  const [program = '', ...words] = argv;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (PROGRAMS.has(name)) return readsNothing(name, words);
  const script = scriptOf(argv);
  const commands = script === undefined ? undefined : parseScript(script);
  return commands !== undefined && commands.length > 0 && commands.every((one) => isKnown(one));
}

/** `variable`: that of the loop around it, whose values are known. */
const isKnown = ({ command, background }: Statement, variable?: string): boolean =>
  !background && isKnownNode(command, variable);

function isKnownNode(node: Statement['command'], variable: string | undefined): boolean {
  switch (node.type) {
    case 'Command':
      return isKnownCommand(node, variable);
    case 'AndOr':
      return node.commands.every((one) => isKnownNode(one, variable));
    case 'For':
      return (
        variable === undefined &&
        node.wordlist?.every((word) => isKnownWord(word, variable)) === true &&
        node.body.commands.every((one) => isKnown(one, node.name.value))
      );
    default:
      return false;
  }
}

function isKnownCommand({ name, prefix, suffix }: Command, variable: string | undefined): boolean {
  if (!name || !isText(name) || !COMMANDS.has(name.value) || prefix.length > 0) return false;
  const words = suffix.flatMap((word) => (word.type === 'Word' && isKnownWord(word, variable) ? [word.value] : []));
  return words.length === suffix.length && readsNothing(name.value, words);
}

const readsNothing = (program: string, words: readonly string[]): boolean =>
  program !== 'date' || words.every((word) => DATE_WORD.test(word));

const isKnownWord = ({ parts = [] }: Word, variable: string | undefined): boolean =>
  parts.every((part) => isKnownPart(part, variable));

function isKnownPart(part: WordPart | DoubleQuotedChild, variable: string | undefined): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every((inner) => isKnownPart(inner, variable));
    case 'SimpleExpansion':
      return variable !== undefined && part.text === `$${variable}`;
    case 'ParameterExpansion':
      return !part.prefix && !part.index && !part.operation && part.parameter === variable;
    case 'CommandExpansion':
      return part.script?.commands.length === 1 && part.script.commands.every(isSequence);
    default:
      return false;
  }
}

/** `seq 1 5`. */
function isSequence({ command, background }: Statement): boolean {
  if (background || command.type !== 'Command' || command.prefix.length > 0) return false;
  const { name, suffix } = command;
  if (name?.value !== 'seq' || !isText(name)) return false;
  return suffix.every((word) => word.type === 'Word' && isText(word) && FEW.test(word.value));
}
