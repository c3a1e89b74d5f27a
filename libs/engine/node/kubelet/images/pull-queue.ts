import { PodRuntimes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { NO_KEYS } from '../../../runtime/controller.js';
import { configurationOf, type KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { omit, type ContainerRecord, type PodRuntime } from '../pod/pod-runtime.js';

const Runtimes = PodRuntimes as unknown as Kind<PodRuntime>;

/** The pulls of a node beside those of one pod. */
export interface PullQueue {
  readonly node: string;
  /** How many run at once; Infinity: nothing ever waits. */
  readonly parallel: number;
  /** Places of those that have not ended, of which the least come first. */
  readonly others: readonly number[];
}

/** Where nothing waits for anything. */
export const NO_QUEUE: PullQueue = { node: '', parallel: Infinity, others: [] };

/** The record without what it has of a pull that has ended. */
export const forgetPull = (record: ContainerRecord): ContainerRecord => omit(record, 'since', 'begun', 'due', 'pull');

/** The place behind all others. */
export const lastPlace = ({ others }: PullQueue): number => Math.max(0, ...others) + 1;

export const isTurnOf = ({ parallel, others }: PullQueue, place: number): boolean =>
  parallel === Infinity || others.filter((other) => other < place).length < parallel;

/**
 * How many images a kubelet pulls at once. Models pkg/kubelet/apis/config/v1beta1/defaults.go SerializeImagePulls,
 * pkg/kubelet/images/puller.go.
 */
export function parallelPulls({ serializeImagePulls, maxParallelImagePulls }: KubeletConfiguration): number {
  const isSerial = serializeImagePulls ?? (maxParallelImagePulls ?? 1) < 2;
  return isSerial ? 1 : (maxParallelImagePulls ?? Infinity);
}

/** What a pod's pull waits for: those of other pods, since a pod has one at a time. */
export function pullQueueOf(read: Reader, node: string, pod: Key): PullQueue {
  const parallel = parallelPulls(configurationOf(read, node));
  if (parallel === Infinity) return NO_QUEUE;
  const others: number[] = [];
  for (const runtime of runtimesThatPull(read, node)) {
    if (isOf(runtime, pod)) continue;
    for (const { place } of pullsOf(runtime)) others.push(place);
  }
  return { node, parallel, others };
}

/**
 * Pods whose pull may begin because one of a node has ended: those at the head of its queue which still wait. Models
 * serialImagePuller.processImagePullRequests.
 */
export function podsWhoseTurnItIs(next: PodRuntime, read: Reader, old: PodRuntime | undefined): readonly Key[] {
  const ended = endedPull(next, read, old);
  if (!ended) return NO_KEYS;
  const waiting = runtimesThatPull(read, ended.node).flatMap((runtime) =>
    pullsOf(runtime).map((pull) => ({ key: keyOf(runtime), ...pull })),
  );
  const parallel = parallelPulls(configurationOf(read, ended.node));
  waiting.sort((a, b) => a.place - b.place);
  return waiting.slice(0, parallel).flatMap(({ key, isWaiting }) => (isWaiting ? [key] : []));
}

/** The pull that this change has ended, if any: it is done, or its pod is gone. */
function endedPull(next: PodRuntime, read: Reader, old: PodRuntime | undefined): { readonly node: string } | undefined {
  const before = pullsOf(old ?? next);
  if (before.length === 0) return undefined;
  const now = read.get(Runtimes, keyOf(next));
  const places = new Set((now ? pullsOf(now) : []).map(({ place }) => place));
  return before.find(({ place }) => !places.has(place));
}

const runtimesThatPull = (read: Reader, node: string): readonly PodRuntime[] => read.byIndex(Runtimes, 'pullsOn', node);

function pullsOf({ containers }: PodRuntime): { node: string; place: number; isWaiting: boolean }[] {
  const pulls: { node: string; place: number; isWaiting: boolean }[] = [];
  for (const name in containers) {
    const { pull, due } = containers[name]!;
    if (pull) pulls.push({ ...pull, isWaiting: due === undefined });
  }
  return pulls;
}

const isOf = ({ metadata: { namespace, name } }: PodRuntime, key: Key): boolean =>
  name === key.name && namespace === key.namespace;
