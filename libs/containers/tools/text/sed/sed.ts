import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { readSmallFile } from '../../accounts.js';
import { defineFilter, type FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { strerror, ToolFailure, UsageFailure } from '../../framework/tool.js';
import { Run } from './run.js';
import { commandsOf, flushAppended, printSpace, regexOf, type State } from './state.js';

const OPTIONS = [
  ...[
    'n,quiet,silent',
    'e,expression:',
    'f,file:',
    'E,regexp-extended',
    'r',
    'i,in-place::',
    's,separate',
    'z,null-data',
  ],
  ...['u,unbuffered', 'l,line-length:', 'b,binary', 'posix', 'follow-symlinks', 'debug', 'sandbox'],
];
export const sed = defineFilter<State>(
  {
    separator: (state) => state.ending,
    start(tool) {
      const options = parseOptions(tool, OPTIONS);
      const operands = [...options.operands];
      const parts = options.all.flatMap(([key, value]) =>
        key === 'e' ? [value] : key === 'f' ? [readScript(tool, value)] : [],
      );
      if (parts.length === 0) {
        const first = operands.shift();
        if (first === undefined) throw new UsageFailure('');
        parts.push(first);
      }
      const script = parts.join('\n');
      const isInPlace = options.has('i');
      if (isInPlace && operands.length === 0) throw new ToolFailure('no input files');
      const state: State = {
        script,
        flavour: tool.flavour,
        isQuiet: options.has('n') || script.startsWith('#n\n'),
        isExtended: options.has('E', 'r'),
        isSeparate: isInPlace || options.has('s'),
        suffix: isInPlace ? options.value('i')! : null,
        ending: options.has('z') ? '\0' : '\n',
        ...{
          path: '',
          pending: [],
          line: 0,
          isLastFile: operands.length <= 1,
          space: '',
          isWhole: true,
          hold: '',
          ranges: {},
        },
        ...{
          appended: [],
          resumeAt: -1,
          isJoining: false,
          hasSubstituted: false,
          files: {},
          result: '',
          lastPattern: '',
        },
        ...{ code: 0, missing: false },
      };
      checkPatterns(state);
      return { files: operands, state };
    },
    open(tool, state, path, index) {
      if (path !== '-' && tool.sys.stat(path).type === 'directory') {
        const message =
          state.suffix === null ? `read error on ${path}: Is a directory` : `couldn't edit ${path}: not a regular file`;
        tool.warn(message);
        state.missing = true;
        return false;
      }
      state.path = path;
      if (state.isSeparate && index > 0) state.line = 0;
      state.result = '';
    },
    fail(tool, state, path, error) {
      tool.warn(tool.flavour === 'gnu' ? `can't read ${path}: ${strerror(error)}` : `${path}: ${strerror(error)}`);
      state.missing = true;
      return 2;
    },
    take(tool, state, line, isWhole) {
      state.pending.push([line, isWhole]);
      // The last line is only known by the next one.
      if (state.pending.length < 2 && asksForLast(state)) return undefined;
      return runLine(tool, state, false);
    },
    close(tool, state) {
      if (!state.isSeparate) return undefined;
      const code = state.pending.length > 0 ? runLine(tool, state, true) : finishWaiting(tool, state);
      writeBack(tool, state);
      return code;
    },
    end(tool, state) {
      const code = state.pending.length > 0 ? runLine(tool, state, true) : finishWaiting(tool, state);
      return code ?? (state.missing ? 2 : state.code);
    },
  },
  { usage: '[OPTION]... {script-only-if-no-other-script} [input-file]...', version: 'sed (GNU sed) 4.9' },
);

const asksForLast = (state: State) =>
  commandsOf(state).some(({ from, to }) => from?.type === 'last' || to?.type === 'last');

function readScript(tool: FilterContext, path: Bytes): Bytes {
  if (!tool.sys.access(path, 'r')) throw new ToolFailure(`couldn't open file ${path}: No such file or directory`);
  return readSmallFile(tool.sys, path).replace(/\n$/, '');
}

function checkPatterns(state: State): void {
  for (const command of commandsOf(state)) {
    if (command.name === 's' && command.pattern !== '') {
      const regex = regexOf(state, command.pattern, command.flags);
      const most = Math.max(0, ...[...command.other.matchAll(/\\(\d)/g)].map(([, digit]) => Number(digit)));
      if (most > regex.groupCount) {
        throw new ToolFailure(
          `-e expression #1, char ${state.script.length}: invalid reference \\${most} on \`s' command's RHS`,
        );
      }
    }
    for (const address of [command.from, command.to]) {
      if (address?.type === 'regex' && address.pattern !== '')
        regexOf(state, address.pattern, address.ignoreCase ? 'i' : '');
    }
  }
}

/** Takes the next line and runs the script on it, or goes on where it waited for it. */
function runLine(tool: FilterContext, state: State, isLast: boolean): number | undefined {
  const [line, isWhole] = state.pending.shift()!;
  state.line++;
  state.isWhole = isWhole;
  state.space = state.isJoining ? `${state.space}\n${line}` : line;
  const start = state.resumeAt < 0 ? 0 : state.resumeAt;
  if (state.resumeAt < 0) state.hasSubstituted = false;
  state.resumeAt = -1;
  state.isJoining = false;
  return new Run(tool, state, isLast).run(start);
}

/** The script waits for a line that does not come: GNU prints the pattern space (not with POSIX' N). */
function finishWaiting(tool: FilterContext, state: State): number | undefined {
  if (state.resumeAt < 0) return undefined;
  state.resumeAt = -1;
  if (state.isJoining && !state.isQuiet) printSpace(tool, state);
  state.isJoining = false;
  flushAppended(tool, state);
  return undefined;
}

function writeBack(tool: FilterContext, state: State): void {
  const { sys } = tool;
  if (state.suffix === null) return;
  const { mode } = sys.stat(state.path);
  if (state.suffix !== '')
    sys.rename(
      state.path,
      state.suffix.includes('*') ? state.suffix.replaceAll('*', state.path) : state.path + state.suffix,
    );
  const descriptor = sys.open(state.path, { write: true, create: true, truncate: true }, mode);
  sys.write(descriptor, state.result);
  sys.close(descriptor);
  state.result = '';
}
