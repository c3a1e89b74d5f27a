import { parse, type Command, type DoubleQuotedChild, type Statement, type Word, type WordPart } from 'unbash';
import { isText, MAX_SCRIPT, SHELL } from './script-words.js';

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
export function isSelfContained([program = '', ...words]: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (PROGRAMS.has(name)) return readsNothing(name, words);
  const [flag, script = '', ...more] = words;
  if (!SHELL.test(program) || flag !== '-c' || more.length > 1 || script.length > MAX_SCRIPT) return false;
  const { commands, errors = [] } = parse(script);
  return errors.length === 0 && commands.length > 0 && commands.every((one) => isKnown(one, []));
}

/** `variables`: that of the loop around it, whose values are known. */
const isKnown = ({ command, background }: Statement, variables: readonly string[]): boolean =>
  !background && isKnownNode(command, variables);

function isKnownNode(node: Statement['command'], variables: readonly string[]): boolean {
  switch (node.type) {
    case 'Command':
      return isKnownCommand(node, variables);
    case 'AndOr':
      return node.commands.every((one) => isKnownNode(one, variables));
    case 'For':
      return (
        variables.length === 0 &&
        node.wordlist?.every((word) => isKnownWord(word, variables)) === true &&
        node.body.commands.every((one) => isKnown(one, [...variables, node.name.value]))
      );
    default:
      return false;
  }
}

function isKnownCommand({ name, prefix, suffix }: Command, variables: readonly string[]): boolean {
  if (!name || !isText(name) || !COMMANDS.has(name.value) || prefix.length > 0) return false;
  const words = suffix.flatMap((word) => (word.type === 'Word' && isKnownWord(word, variables) ? [word.value] : []));
  return words.length === suffix.length && readsNothing(name.value, words);
}

const readsNothing = (program: string, words: readonly string[]): boolean =>
  program !== 'date' || words.every((word) => DATE_WORD.test(word));

const isKnownWord = ({ parts = [] }: Word, variables: readonly string[]): boolean =>
  parts.every((part) => isKnownPart(part, variables));

function isKnownPart(part: WordPart | DoubleQuotedChild, variables: readonly string[]): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every((inner) => isKnownPart(inner, variables));
    case 'SimpleExpansion':
      return variables.includes(part.text.slice(1));
    case 'ParameterExpansion':
      return !part.prefix && !part.index && !part.operation && variables.includes(part.parameter);
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
