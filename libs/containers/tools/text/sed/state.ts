import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { readSmallFile } from '../../accounts.js';
import type { FilterContext } from '../../framework/filter.js';
import { compileRegex, type PosixRegex, RegexFault } from '../../patterns/posix-regex.js';
import { type Flavour, ToolFailure } from '../../framework/tool.js';
import { type Command, ScriptReader } from './script.js';

/** All of a running sed, as plain data. */
export type State = {
  script: Bytes;
  isQuiet: boolean;
  isExtended: boolean;
  isSeparate: boolean;
  /** The suffix of the copy that -i keeps; null without -i. */
  suffix: Bytes | null;
  ending: Bytes;
  // input: the last line is known only when there is no next
  path: Bytes;
  pending: [text: Bytes, isWhole: boolean][];
  line: number;
  isLastFile: boolean;
  // the machine
  space: Bytes;
  isWhole: boolean;
  hold: Bytes;
  flavour: Flavour;
  ranges: Record<string, number>;
  appended: [kind: string, text: Bytes][];
  /** Where an `n` or `N` goes on when the next line is there. */
  resumeAt: number;
  isJoining: boolean;
  hasSubstituted: boolean;
  files: Record<string, number>;
  result: Bytes;
  lastPattern: Bytes;
  code: number;
  missing: boolean;
};

const scripts = new WeakMap<State, Command[]>();

export const commandsOf = (state: State): Command[] => {
  const known = scripts.get(state) ?? new ScriptReader(state.script, state.flavour).read();
  scripts.set(state, known);
  return known;
};

export function regexOf(state: State, pattern: Bytes, flags: string): PosixRegex {
  const text = pattern === '' ? state.lastPattern : pattern;
  if (text === '') throw new ToolFailure(`-e expression #1, char 0: no previous regular expression`);
  state.lastPattern = text;
  try {
    const settings = { ignoreCase: flags.includes('i'), multiline: flags.includes('M') };
    return compileRegex(text, state.isExtended ? 'extended' : 'basic', settings);
  } catch (error) {
    if (error instanceof RegexFault && state.flavour === 'busybox') {
      throw new ToolFailure(`bad regex '${text}': ${error.message}`);
    }
    if (error instanceof RegexFault)
      throw new ToolFailure(`-e expression #1, char ${state.script.length}: ${error.message}`);
    throw error;
  }
}

export const emit = (tool: FilterContext, state: State, text: Bytes) => {
  if (state.suffix === null) tool.out(text);
  else state.result += text;
};

export function printSpace(tool: FilterContext, state: State): void {
  emit(tool, state, state.space + (state.isWhole ? state.ending : ''));
}

/** At the end of a line's cycle: what a and r queued. */
export function flushAppended(tool: FilterContext, state: State): void {
  if (state.appended.length > 0 && !state.isWhole) emit(tool, state, '\n');
  for (const [kind, text] of state.appended) {
    emit(tool, state, kind === 'text' ? text : readSmallFile(tool.sys, text === '/dev/stdin' ? '/dev/null' : text));
  }

  state.appended = [];
}
