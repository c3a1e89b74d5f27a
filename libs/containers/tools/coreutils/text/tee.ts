import { defineFilter } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { strerror } from '../../framework/tool.js';

export const tee = defineFilter<{ targets: number[]; code: number }>(
  {
    unit: 'chunk',
    start(tool) {
      const options = parseOptions(tool, ['a,append', 'i,ignore-interrupts', 'p', 'output-error::']);
      const state = { targets: [] as number[], code: 0 };
      for (const path of options.operands) {
        try {
          const append = options.has('a');
          state.targets.push(tool.sys.open(path, { write: true, create: true, append, truncate: !append }, 0o666));
        } catch (error) {
          tool.warn(
            tool.flavour === 'gnu' ? `${path}: ${strerror(error)}` : `can't open '${path}': ${strerror(error)}`,
          );
          state.code = 1;
        }
      }
      return { files: [], state };
    },
    take(tool, state, chunk) {
      tool.out(chunk);
      for (const target of state.targets) tool.sys.write(target, chunk);
    },
    end: (_tool, state, code) => state.code || code,
  },
  { usage: '[OPTION]... [FILE]...' },
);
