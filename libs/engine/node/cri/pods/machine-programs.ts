import type { Programs } from '../../../kernel/process/program.js';
import type { Process } from '../image.js';
import { containerOfStandIn, standIn } from '../servers/stand-in.js';
import type { MachinesOptions, PodView } from './pod-view.js';
import { summaryOf } from './start-spec.js';

const NO_PROGRAMS: Programs = { find: () => undefined };

/** The catalogue's programs, and one for each of a pod's servers that is known by its summary only. */
export function machinePrograms(
  { images, state }: Pick<MachinesOptions, 'images' | 'state'>,
  latest: () => PodView,
): Programs {
  const programs = images.programs ?? NO_PROGRAMS;
  // Each step asks for it: it follows from the pod as it is looked at.
  const known = new Map<string, { readonly view: PodView; readonly process: Process | undefined }>();
  const processOf = (container: string): Process | undefined => {
    const view = latest();
    const found = known.get(container);
    if (found?.view === view) return found.process;
    const process = summaryOf(view, container, images, state)?.process;
    known.set(container, { view, process });
    return process;
  };
  return {
    find: (name) => {
      const container = containerOfStandIn(name);
      return container === undefined ? programs.find(name) : standIn(() => processOf(container), state);
    },
  };
}
