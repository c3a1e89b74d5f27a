import type { Bytes } from '../../../engine/kernel/bytes.js';
import { waitToRead } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import type { Tool } from '../framework/tool.js';
import { RUNTIMES, type Runtime } from './runtime-words.js';

type RuntimeState = { seen: boolean };

const CHUNK = 4_096;

/**
 * An interpreter whose language is not simulated: it tells its version, ends as the real one when there is nothing to
 * run or the file is not there, and says of everything else that it is not simulated.
 */
function defineRuntime(runtime: Runtime): Tool {
  return defineSteps<RuntimeState>({
    start(tool) {
      const { args } = tool;
      if (args[0] !== undefined && runtime.asksVersion.includes(args[0])) {
        const own = runtime.versionIn === undefined ? undefined : tool.sys.env[runtime.versionIn];
        tool.out(own === undefined ? `${runtime.version}\n` : `v${own}\n`);
        return 0;
      }
      const script = runtime.script(args);
      if (script === undefined) return args.length === 0 ? { seen: false } : refuse(tool);
      const { sys } = tool;
      const path = script.startsWith('/') ? script : `${sys.cwd().replace(/\/$/, '')}/${script}`;
      if (sys.access(path, '')) return refuse(tool);
      const { text, code } = runtime.missing({ script, path, cwd: sys.cwd(), now: sys.now });
      tool.err(text);
      return code;
    },
    step: (tool, state) => waitForProgram(tool, state, runtime.idle),
  });
}

function refuse(tool: FilterContext): number {
  tool.warn('is not simulated here');
  return 1;
}

/** Reads a program from standard input. Without one it ends with what it greets with; any other is not simulated. */
export function waitForProgram(tool: FilterContext, state: RuntimeState, idle: Bytes) {
  const { sys } = tool;
  if (sys.isTerminal(0)) return refuse(tool);
  for (let bytes = sys.read(0, CHUNK); bytes !== ''; bytes = sys.read(0, CHUNK)) {
    if (bytes === undefined) return waitToRead(0);
    state.seen ||= bytes.trim() !== '';
  }
  if (state.seen) return refuse(tool);
  tool.out(idle);
  return 0;
}

export const runtimes: Readonly<Record<string, Tool>> = Object.fromEntries(
  Object.entries(RUNTIMES).map(([name, runtime]) => [`runtime:${name}`, defineRuntime(runtime)]),
);
