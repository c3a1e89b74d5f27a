import type { Protocol } from '../../../../kernel/netfilter/index.js';
import type { Millis } from '../../../../machinery/time/time.js';
import { redirectsOf } from '../../../network/redirects.js';
import type { Process } from '../../image.js';
import { runsOf, type Run } from '../../records/course.js';
import { readMachine } from '../../records/machine-record.js';
import type { LoadedMachine } from '../loaded-machine.js';
import type { MachinesOptions, PodView } from '../pod-view.js';
import { summaryOf } from '../start-spec.js';

type Source = Pick<MachinesOptions, 'state' | 'images'>;

/** What is at a port of a pod: a server that is known by its summary, whatever runs in its machine, or nothing. */
export type Listener = 'summary' | 'machine' | 'none';

export function findListener(view: PodView, port: number, now: Millis, { state, images }: Source): Listener {
  const { pod, statuses, records } = view;
  if (readMachine(state, pod)) return 'machine';
  const runs = runsOf(pod, statuses, records).filter((run) => !isOver(run, now));
  // What it is led to answers, if anything does.
  if (runs.length > 0 && redirectsOf(pod)?.inbound(port) !== undefined) return 'machine';
  const isWatched = runs.some(({ container }) => watchesPackets(container));
  let found: Listener = 'none';
  for (const run of runs) {
    const { container, stoppedAt = Infinity } = run;
    // What it does with the signal is for its machine to say: it may go on to serve.
    const summary = stoppedAt <= now ? undefined : summaryOf(view, container.name, images, state);
    if (!summary) found = 'machine';
    else if (summary.process.listens.includes(port)) {
      if (now < summary.startedAt + summary.process.readyAfterMs) return 'none';
      return isWatched || summary.process.machinePorts?.includes(port) ? 'machine' : 'summary';
    }
  }
  return found;
}

/** A container that shows what passes its pod, as a debugging one: the pod's packets are there to be seen. */
const watchesPackets = ({ command = [], args = [] }: Run['container']): boolean =>
  [...command, ...args].some((word) => word.includes('tcpdump'));

/** One that was told to stop runs until its record says. */
export const isOver = ({ hookAt, stoppedAt, endsAt }: Run, now: Millis): boolean =>
  endsAt !== undefined && ((hookAt ?? stoppedAt) === undefined || endsAt <= now);

/** The process of a pod that answers questions for names now. */
export function findNameServer(view: PodView, now: Millis, { state, images }: Source): Process | undefined {
  const { pod, statuses, records } = view;
  for (const { container, endsAt } of runsOf(pod, statuses, records)) {
    const summary = endsAt === undefined ? summaryOf(view, container.name, images, state) : undefined;
    if (!summary?.process.answerName || summary.process.exit) continue;
    if (now >= summary.startedAt + summary.process.readyAfterMs) return summary.process;
  }
  return undefined;
}

/** Whether a program of a machine accepts packets from elsewhere at a port. */
export function hasOpenPort({ machine, runs, failures }: LoadedMachine, port: number, protocol: Protocol): boolean {
  const begun = [...runs.keys()].filter((id) => !failures.has(id));
  return begun.some((id) =>
    machine.container(id).listening.some((one) => one.port === port && one.protocol === protocol && !one.isLocal),
  );
}
