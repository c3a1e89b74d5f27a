import type { Plain, Program } from '../../../engine/kernel/process/program.js';
import type { Flavour, Tool } from '../framework/tool.js';
import { creation } from './tar-create.js';
import { extraction } from './tar-extract.js';
import { readsArchive } from './tar-options.js';

type TarState = { reads: boolean; own: Plain };

/**
 * tar in both directions. What goes through it is never held as a whole: a piece is read when what came of the one
 * before is written. Only a compressed archive is: its packer keeps more than a process can write down.
 */
function tarOf(flavour: Flavour): Tool {
  const programOf = (reads: boolean): Program => (reads ? extraction : creation).as(flavour);
  const programs = { true: programOf(true), false: programOf(false) };
  const program: Program<TarState> = {
    start: (argv, sys) => {
      const reads = readsArchive(argv);
      return { reads, own: programs[`${reads}`].start(argv, sys) };
    },
    step: ({ reads, own }, sys) => programs[`${reads}`].step(own, sys),
  };
  return { ...(program as unknown as Program), as: tarOf };
}

export const tar = tarOf('gnu');
