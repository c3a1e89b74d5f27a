import { makeContext } from './context.js';
import { exit, type Plain, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FilterContext } from './filter.js';
import { flushOutput, type Output } from './output.js';
import { explainFailure, failWrite, type Flavour, type Tool, type ToolSettings } from './tool.js';

/** A tool that waits for more than its input: for time, connections or children. */
export interface Steps<State extends Plain> {
  /** Reads the command line. A number ends the tool with this exit code. */
  start(tool: FilterContext): State | number;
  /**
   * Goes on, changing `state` in place. It is also called when nothing that it waits for has happened. A number ends
   * the tool with this exit code.
   */
  step(tool: FilterContext, state: State): number | Wait;
}

type StepsState = { argv: Bytes[]; own: Plain; isStarted: boolean; output: Output; code: number | null };

/** A tool whose state between its steps is plain data; what it prints is written before it goes on. */
export function defineSteps<State extends Plain>(
  steps: Steps<State>,
  settings: ToolSettings = {},
  flavour: Flavour = 'gnu',
): Tool {
  const advance = (tool: FilterContext, state: StepsState): number | Wait => {
    try {
      if (!state.isStarted) {
        state.isStarted = true;
        const started = steps.start(tool);
        if (typeof started === 'number') return started;
        state.own = started;
      }
      return steps.step(tool, state.own as State);
    } catch (error) {
      return explainFailure(tool, error);
    }
  };
  const program: Program<StepsState> = {
    start: (argv) => ({ argv: [...argv], own: null, isStarted: false, output: [], code: null }),
    step(state, sys) {
      const tool = makeContext(state, sys, settings, flavour);
      try {
        const blocked = flushOutput(state.output, sys);
        if (blocked !== undefined) return blocked;
        if (state.code !== null) return exit(state.code);
        const next = advance(tool, state);
        if (typeof next === 'number') state.code = next;
        const waiting = flushOutput(state.output, sys);
        if (waiting !== undefined) return waiting;
        return typeof next === 'number' ? exit(next) : next;
      } catch (error) {
        return failWrite(state, tool.name, error);
      }
    },
  };
  return { ...(program as unknown as Program), as: (other) => defineSteps(steps, settings, other) };
}
