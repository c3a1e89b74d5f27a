import type { Pod } from '../../../api/core_v1.js';
import { isForgotten } from '../../../kernel/conntrack/state.js';
import type { TrackEntry } from '../../../kernel/conntrack/print.js';
import type { LoggedQuestion } from '../../../kernel/sockets/logged-question.js';
import type { State } from '../../../kernel/state.js';
import { Pods } from '../../../kinds/index.js';
import { listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { Millis } from '../../../machinery/time/time.js';
import { shellPod } from '../../host/shell/node-shell.js';
import type { KnownCourses } from './known-courses.js';
import { isQuietRun } from '../pods/run-starts.js';
import type { MachinesOptions, PodView } from '../pods/pod-view.js';
import { summaryOf } from '../pods/start-spec.js';
import { runsOf } from '../records/course.js';
import { readMachine } from '../records/machine-record.js';

/** Machines whose connections one look gathers. */
const MAX_MACHINES = 100;
/** Lines that the log of a name server has of questions. */
const MAX_QUESTIONS = 2_000;

/** A machine that may have begun connections, with its pod. */
export interface Connected {
  readonly pod: Pod;
  readonly state: State;
}

/**
 * The machines that may have begun connections: of pods that somebody has looked into, or that run programs which do
 * more than wait: a loop that calls something is run until now to see. Servers that are known by their summary begin
 * none, and neither do loops that are known to be quiet, nor command lines that tell their course themselves.
 */
export function connectedMachines(
  options: MachinesOptions,
  courses: Pick<KnownCourses, 'isSelfContained'>,
  viewOf: (pod: Pod) => PodView,
  find: (view: PodView) => State,
): Connected[] {
  const { state } = options;
  const shells = listHosts(state).map(shellPod);
  const found: Connected[] = [];
  for (const pod of [...state.list(Pods), ...shells]) {
    if (!mayConnect(pod, options, courses, viewOf)) continue;
    found.push({ pod, state: find(viewOf(pod)) });
    if (found.length === MAX_MACHINES) break;
  }
  return found;
}

function mayConnect(
  pod: Pod,
  options: MachinesOptions,
  courses: Pick<KnownCourses, 'isSelfContained'>,
  viewOf: (pod: Pod) => PodView,
): boolean {
  const { phase } = pod.status;
  if (readMachine(options.state, pod)) return true;
  if (phase !== 'Running' && phase !== 'Pending') return false;
  const view = viewOf(pod);
  return runsOf(pod, view.statuses, view.records).some(
    ({ container, containerID, endsAt }) =>
      endsAt === undefined &&
      !summaryOf(view, container.name, options.images, options.state) &&
      !isQuietRun(view, containerID, options) &&
      !courses.isSelfContained(view, containerID),
  );
}

/** What a name server in a pod was asked by machines until now, the last questions, in their order. */
export const questionsTo = (uid: string, machines: readonly Connected[], now: Millis): LoggedQuestion[] =>
  machines
    .flatMap(({ state }) => state.questions)
    .filter(({ server, at }) => server === uid && at <= now)
    .sort((a, b) => a.at - b.at)
    .slice(-MAX_QUESTIONS);

/** The connections in the table of a node, in the order of their beginnings. */
export const tracksAt = (node: string, machines: readonly Connected[], now: Millis): TrackEntry[] =>
  machines
    .flatMap(({ state: { id: machine, tracks } }) =>
      [...tracks.values()].flatMap((track) =>
        isForgotten(track, now)
          ? []
          : track.passed.filter(({ at }) => at === node).map((passing) => ({ machine, track, passing })),
      ),
    )
    .sort((a, b) => a.track.startedAt - b.track.startedAt);
