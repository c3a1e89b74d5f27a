import { findCommand, exitCodeOf } from '../framework/command.js';
import { type Signal, SIGNALS } from '../../../engine/kernel/signals.js';
import type { FilterContext } from '../framework/filter.js';
import { parseOptions } from '../framework/options.js';
import { defineSteps } from '../framework/steps.js';
import { strerror, ToolFailure } from '../framework/tool.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';

type InitState = { child: number; toGroup: boolean };

const FORWARDED: readonly Signal[] = ['TERM', 'INT', 'HUP', 'QUIT', 'USR1', 'USR2', 'WINCH', 'CONT'];

/** Starts one child, hands signals on to it, reaps whatever becomes its own, and ends as the child ends. */
const makeInit = (table: readonly string[], toGroup: boolean, refuse: (name: Bytes, message: string) => string) =>
  defineSteps<InitState>({
    start(tool) {
      const options = parseOptions(tool, table, true);
      const { sys } = tool;
      const [name] = options.operands;
      if (name === undefined) throw new ToolFailure('no command given');
      for (const signal of FORWARDED) sys.handleSignal(signal, 'catch');
      try {
        const path = findCommand(sys, name);
        return { child: sys.spawn({ path, argv: options.operands, group: 0 }), toGroup: toGroup || options.has('g') };
      } catch (error) {
        tool.err(refuse(name, strerror(error)));
        return exitCodeOf(error);
      }
    },
    step: (tool, state) => forwardAndReap(tool, state) ?? { type: 'wait', child: true },
  });

function forwardAndReap({ sys }: FilterContext, { child, toGroup }: InitState): number | undefined {
  for (let signal = sys.takeSignal(); signal !== undefined; signal = sys.takeSignal()) {
    sys.kill(toGroup ? -child : child, signal);
  }
  for (let ended = sys.wait(-1); ended !== undefined; ended = sys.wait(-1)) {
    if (ended.pid !== child || ended.state === 'stopped' || ended.state === 'continued') continue;
    return ended.state === 'killed' ? 128 + SIGNALS[ended.signal ?? 'KILL'] : ended.code;
  }
  return undefined;
}

export const tini = makeInit(
  ['s', 'v', 'w', 'g', 'e:', 'p:', 'l'],
  false,
  (name, message) => `[FATAL tini (7)] exec ${name} failed: ${message}\n`,
);

export const dumbInit = makeInit(
  ['c,single-child', 'r,rewrite:', 'v,verbose'],
  true,
  (name, message) => `[dumb-init] ${name}: ${message}\n`,
);
