import type { Bytes } from '../../../engine/kernel/bytes.js';
import { exit, type Program, YIELD } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../accounts.js';
import { toolContext } from '../coreutils/time/sleep.js';
import { parseOptions } from '../framework/options.js';
import { flushOutput } from '../framework/output.js';
import {
  explainFailure,
  failWrite,
  type Flavour,
  type Tool,
  type ToolContext,
  ToolFailure,
  UsageFailure,
} from '../framework/tool.js';
import { compileAwk } from './compile.js';
import type { Compiled } from './emitter.js';
import { type Machine, newMachine } from './machine.js';
import { Runner } from './runner.js';
import { unescapeAwk } from './tokens.js';
import { inputCell } from './values.js';

type State = { argv: Bytes[]; program: Bytes; machine: Machine; isStarted: boolean; code: number | null };

const OPTIONS = ['F,field-separator:', 'v,assign:', 'f,file:', 'W:', 'posix', 're-interval', 'traditional', 'e:'];
const SETTINGS = {
  usage: "[-F value] [-v var=value] [--] 'program text' [file ...]",
  usageCode: 2,
  version: 'mawk 1.3.4 20200120',
};

/** Instructions of one step. */
const STEPS = 5_000;

const compiledOf = new WeakMap<State, Compiled>();

export const awk: Tool = makeAwk('gnu');

function makeAwk(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv) => ({ argv: [...argv], program: '', machine: newMachine(0), isStarted: false, code: null }),
    step(state, sys) {
      const tool = toolContext({ argv: state.argv, output: state.machine.output }, sys, flavour, SETTINGS);
      try {
        const blocked = flushOutput(state.machine.output, sys);
        if (blocked !== undefined) return blocked;
      } catch (error) {
        const holder = { output: state.machine.output, code: state.code };
        const wait = failWrite(holder, tool.name, error);
        state.code = 2;
        return wait;
      }
      if (state.code !== null) return exit(state.code);
      try {
        if (!state.isStarted) begin(state, tool);
        const compiled = compiledOf.get(state) ?? compileAwk(state.program);
        compiledOf.set(state, compiled);
        sys.charge(STEPS >> 1);
        const wait = new Runner(state.machine, compiled, sys).run(STEPS) ?? YIELD;
        if (state.machine.memory > 0) sys.setMemory(state.machine.memory);
        return wait;
      } catch (error) {
        state.code = explainFailure(tool, error);
        return YIELD;
      }
    },
  };
  return { ...(program as unknown as Program), as: makeAwk };
}

function begin(state: State, tool: ToolContext): void {
  const { sys } = tool;
  const options = parseOptions(tool, OPTIONS, true);
  const operands = [...options.operands];
  const texts = options.all.flatMap(([key, value]) =>
    key === 'f' ? [readProgram(tool, value)] : key === 'e' ? [value] : [],
  );
  if (texts.length === 0) {
    const first = operands.shift();
    if (first === undefined) {
      tool.err(`Usage: ${tool.name} ${SETTINGS.usage}\n`);
      throw new UsageFailure('');
    }
    texts.push(first);
  }

  state.program = texts.join('\n');
  const compiled = compileAwk(state.program);
  compiledOf.set(state, compiled);
  const { machine } = state;
  machine.pc = Number(compiled.code.at(-1)![1]);
  setVariables(machine, sys, [tool.name, ...operands]);
  const separator = options.value('F');
  if (separator !== undefined) machine.globals['FS'] = separator === 't' ? '\t' : unescapeAwk(separator);
  for (const assignment of options.values('v')) {
    const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(assignment) ?? [];
    if (name === undefined) throw new ToolFailure(`improper assignment: -v ${assignment}`, 2);
    machine.globals[name] = inputCell(unescapeAwk(value!));
  }

  state.isStarted = true;
}

function readProgram(tool: ToolContext, path: Bytes): Bytes {
  if (path !== '-' && !tool.sys.access(path, 'r')) throw new ToolFailure(`couldn't open file ${path}`, 2);
  return readSmallFile(tool.sys, path === '-' ? '/dev/stdin' : path);
}

function setVariables(machine: Machine, sys: Syscalls, words: readonly Bytes[]): void {
  Object.assign(machine.globals, {
    ...{
      FS: ' ',
      OFS: ' ',
      ORS: '\n',
      RS: '\n',
      SUBSEP: '\x1c',
      OFMT: '%.6g',
      CONVFMT: '%.6g',
      NR: 0,
      FNR: 0,
      RSTART: 0,
    },
    ...{ RLENGTH: -1, ARGC: words.length, FILENAME: '' },
  });
  machine.arrays['g:ARGV'] = Object.fromEntries(words.map((word, i) => [String(i), inputCell(word)]));
  machine.arrays['g:ENVIRON'] = Object.fromEntries(
    Object.entries(sys.env).map(([name, value]) => [name, inputCell(value)]),
  );
}
