import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { START_ERROR } from '../../kubelet/kuberuntime/create.js';
import {
  parseTime,
  type ContainerRecord,
  type ContainerRecords,
  type TakenPorts,
} from '../../kubelet/pod/pod-runtime.js';

/** One run of a container, as the pod's status and PodRuntime tell it. */
export interface Run {
  readonly container: Container;
  /** The image as the status names it. */
  readonly image: string;
  readonly containerID: string;
  readonly startedAt: Millis;
  /** Ports that are others': Start.taken. */
  readonly taken?: readonly TakenPorts[];
  /** When its preStop hook begins. */
  readonly hookAt?: Millis;
  /** When it was told to stop: its image's STOPSIGNAL, by default SIGTERM. */
  readonly stoppedAt?: Millis;
  /** When it was over, or is to be killed. */
  readonly endsAt?: Millis;
}

/** By container name, as a sync of the pod knows them. */
export type Statuses = ReadonlyMap<string, ContainerStatus>;

export const statusesOf = ({ status }: Pod): Statuses =>
  new Map(
    [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ].map((s) => [s.name, s]),
  );

/** The same as the container runtime has it: what the API server does not hear of yet is so. */
export function runtimeStatuses({ status }: Pod, records: ContainerRecords | undefined): Map<string, ContainerStatus> {
  const statuses = new Map<string, ContainerStatus>();
  for (const s of status.initContainerStatuses ?? []) statuses.set(s.name, s);
  for (const s of status.containerStatuses ?? []) statuses.set(s.name, s);
  for (const s of status.ephemeralContainerStatuses ?? []) statuses.set(s.name, s);
  for (const name in records) {
    const { postStart, replaced, unlisted, withheld } = records[name] ?? {};
    const starting = postStart?.status ?? replaced ?? unlisted ?? withheld;
    if (starting) statuses.set(name, starting);
  }
  return statuses;
}

/** The runs of a pod's containers that its status still tells of, in the order in which they began. */
export function runsOf({ spec }: Pod, statuses: Statuses, records: ContainerRecords = {}): Run[] {
  const containers = [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  const runs = containers.flatMap((container) => {
    const status = statuses.get(container.name);
    return status ? runsOfContainer(container, status, records[container.name] ?? {}) : [];
  });
  return runs.sort((a, b) => a.startedAt - b.startedAt);
}

/** The only run of a pod with one container, when that runs and nobody stops it: what runsOf says, at less cost. */
export function soleRunOf({ spec }: Pod, statuses: Statuses, records: ContainerRecords = {}): Run | undefined {
  const [container, ...more] = spec.containers;
  if (!container || more.length > 0 || spec.initContainers?.length || spec.ephemeralContainers?.length)
    return undefined;
  const { state, lastState, image, containerID = '' } = statuses.get(container.name) ?? {};
  const record = records[container.name] ?? {};
  if (!state?.running || lastState?.terminated || record.dying || record.taken || image === undefined) return undefined;
  return { container, image, containerID, startedAt: parseTime(record.startedAt ?? state.running.startedAt) };
}

function runsOfContainer(container: Container, status: ContainerStatus, record: ContainerRecord): Run[] {
  const { state, lastState, image } = status;
  const taken = record.taken ? { taken: record.taken } : {};
  const runs: Run[] = [];
  for (const ended of [lastState?.terminated, state?.terminated]) {
    if (!ended?.containerID || !ended.startedAt || ended.reason === START_ERROR) continue;
    const { containerID } = ended;
    if (runs.some((run) => run.containerID === containerID)) continue;
    const startedAt = exactTime(ended.startedAt, [record.startedAt, record.previousStartedAt]);
    const stopped = [record.stopped, record.previousStopped].find((one) => parseTime(one?.startedAt) === startedAt);
    runs.push({
      ...{ container, image, containerID, startedAt, ...taken },
      ...(stopped ? stopOf(stopped) : { endsAt: lastMoment(ended.finishedAt) }),
    });
  }
  if (!state?.running) return runs;
  const { dying } = record;
  return [
    ...runs,
    {
      container,
      image,
      containerID: status.containerID ?? '',
      startedAt: parseTime(record.startedAt ?? state.running.startedAt),
      ...taken,
      ...(dying ? stopOf(dying) : {}),
    },
  ];
}

const stopOf = ({ hook, since, at, isDeaf }: Stop): Pick<Run, 'hookAt' | 'stoppedAt' | 'endsAt'> => ({
  ...(hook === undefined ? {} : { hookAt: parseTime(hook) }),
  ...(since === undefined || isDeaf ? {} : { stoppedAt: parseTime(since) }),
  endsAt: parseTime(at),
});

type Stop = Pick<NonNullable<ContainerRecord['dying']>, 'hook' | 'since' | 'at' | 'isDeaf'>;

/** A status has whole seconds: the process may have ended within the last one. */
const lastMoment = (text: string | undefined): Millis => parseTime(text) + SECOND - 1;

/** A status has whole seconds; the record may know the moment in it: of the last run, or of the one before. */
function exactTime(text: string, recorded: readonly (string | undefined)[]): Millis {
  const at = parseTime(text);
  return recorded.map(parseTime).find((exact) => exact >= at && exact < at + SECOND) ?? at;
}

/** A run with the moment of its start that the PodRuntime knows. */
export const exactRun = <R extends { readonly containerID: string; readonly startedAt: Millis }>(
  run: R,
  runs: readonly Run[],
): R => ({ ...run, startedAt: runs.find((r) => r.containerID === run.containerID)?.startedAt ?? run.startedAt });
