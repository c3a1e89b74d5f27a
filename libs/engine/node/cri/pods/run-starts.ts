import type { Container, Pod } from '../../../api/core_v1.js';
import { StartFailure } from '../../../kernel/container.js';
import type { ImageFiles } from '../../../kernel/files/file.js';
import { Machine, type MachineOptions } from '../../../kernel/machine.js';
import type { Programs } from '../../../kernel/process/program.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { findStart, type Network } from '../../kubelet/container/process.js';
import type { Image, ImageCatalog } from '../image.js';
import { parseReference } from '../images/reference.js';
import { runsOf, type Run } from '../records/course.js';
import { PodTrees } from './pod-trees.js';
import type { MachinesOptions, PodView } from './pod-view.js';
import { specOf } from './start-spec.js';

/** A command line does not depend on it. */
const NO_NETWORK: Network = { resolves: () => false, connects: () => false };

/** Why a machine cannot start the main process of a run that is about to begin, in runc's words. */
export function startFailureOf(
  view: PodView,
  run: Run,
  files: ImageFiles,
  options: MachinesOptions,
  machine: () => Omit<MachineOptions, 'findTree'>,
): string | undefined {
  const trees = new PodTrees(view, options, new Map(), () => files);
  try {
    const spec = specOf(run, view.pod, trees, options);
    if (spec) new Machine(machine()).start(spec, run.startedAt);
    return undefined;
  } catch (error) {
    if (error instanceof StartFailure) return error.message;
    throw error;
  }
}

/** A mount stands for a file: whether it can be mounted there is known once what it brings is seen. */
export const mayRefuseMounts = ({ volumeMounts = [] }: Container, { files = {} }: Pick<Image, 'files'>): boolean =>
  volumeMounts.some(
    ({ mountPath, subPath, subPathExpr }) => (subPath ?? subPathExpr) || files[mountPath]?.type === 'file',
  );

/** Whether the main program of a container that runs is known never to end by itself. */
export const isEndlessRun = (view: PodView, containerID: string, options: RunOptions): boolean =>
  isKnownRun(view, containerID, options, options.images.programs?.isEndless);

/** Whether it is known, besides, to send nothing to anybody. */
export const isQuietRun = (view: PodView, containerID: string, options: RunOptions): boolean =>
  isKnownRun(view, containerID, options, options.images.programs?.isQuiet);

type RunOptions = Pick<MachinesOptions, 'images' | 'state'>;

function isKnownRun(
  { pod, statuses, records }: PodView,
  containerID: string,
  { images, state }: RunOptions,
  isKnown: Programs['isEndless'],
): boolean {
  if (!isKnown) return false;
  const run = runsOf(pod, statuses, records).find((r) => r.containerID === containerID);
  if (!run || run.endsAt !== undefined) return false;
  const found = findStart(images, run, { pod, read: state }, NO_NETWORK);
  return found !== undefined && isKnown(found.start.argv);
}

/** Whether the files of a container's image are known. */
export function hasImageFiles({ pod, statuses, records }: PodView, container: string, images: ImageCatalog): boolean {
  const run = runsOf(pod, statuses, records).findLast((r) => r.container.name === container);
  const reference = run && parseReference(run.image);
  const found = reference && images.resolve(reference);
  return found !== undefined && 'image' in found && found.image.files !== undefined;
}

/** When the pod's sandbox was there, as far as its status tells. */
export function bootTime({ status, metadata }: Pod): Millis {
  const text = status.startTime ?? metadata.creationTimestamp;
  return text ? parseTimestamp(text) : 0;
}
