import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { exit, type Program, YIELD } from '../../../../engine/kernel/process/program.js';
import { parseOptions } from '../../framework/options.js';
import { flushOutput, type Output } from '../../framework/output.js';
import { explainFailure, failWrite, type Flavour, type Tool } from '../../framework/tool.js';
import { toolContext } from '../time/sleep.js';

type State = { argv: Bytes[]; chunk: Bytes; output: Output; code: number | null };

const SETTINGS = { usage: '[STRING]...' };
/** Bytes of one write. */
const CHUNK = 8_192;

/** Endless: it goes on by what its reader takes. */
export const yes: Tool = makeYes('gnu');

function makeYes(flavour: Flavour): Tool {
  const program: Program<State> = {
    start: (argv) => ({ argv: [...argv], chunk: '', output: [], code: null }),
    step(state, sys) {
      const tool = toolContext(state, sys, flavour, SETTINGS);
      try {
        const blocked = flushOutput(state.output, sys);
        if (blocked !== undefined) return blocked;
        if (state.code !== null) return exit(state.code);
        if (state.chunk === '') state.chunk = makeChunk(parseOptions(tool, [], true).operands);
        tool.out(state.chunk);
        return flushOutput(state.output, sys) ?? YIELD;
      } catch (error) {
        if (state.chunk !== '') return failWrite(state, tool.name, error);
        state.code = explainFailure(tool, error);
        return YIELD;
      }
    },
  };
  return { ...(program as unknown as Program), as: makeYes };
}

function makeChunk(words: readonly Bytes[]): Bytes {
  const line = `${words.length === 0 ? 'y' : words.join(' ')}\n`;
  return line.repeat(Math.max(1, Math.floor(CHUNK / line.length)));
}
