import type { DaemonSet } from '../api/apps_v1.js';
import type { Event, Node, Pod, Taint } from '../api/core_v1.js';
import { Events } from '../kinds/index.js';
import type { Auth } from '../machinery/requests/auth.js';
import type { Kind } from '../machinery/kind.js';
import { storageKey } from '../machinery/kind.js';
import { keyOf, type Key, type KubeObject, type OwnerReference } from '../machinery/meta/object.js';
import type { HistoryAnswer, HistoryQuery } from '../machinery/past-change.js';
import type { Reader } from '../machinery/reader.js';
import type { Millis } from '../machinery/time/time.js';
import type { TraceAnswer, TraceQuestion } from '../machinery/questions/trace.js';
import type { User } from '../machinery/requests/user.js';
import type { SchedulingReport, WhyFinding } from '../machinery/questions/why.js';
import type { ComponentName } from '../runtime/controller.js';

/** What reasons are found in: the present state, the past, and what the components themselves would say. */
export interface WhyParts {
  readonly read: Reader;
  readonly auth: Auth;
  /** Every kind that is served. */
  kinds(): readonly Kind[];
  /** Throws HistoryNeeded when the host has to read first. */
  past(query: HistoryQuery): HistoryAnswer;
  /** `controller`: one of those that the component runs, by our name for it. */
  isEnabled(component: ComponentName, controller?: string): boolean;
  /** Whether a scheduler beside the first one runs that has a profile of this name. */
  hasScheduler(name: string): boolean;
  explainScheduling(pod: Pod): SchedulingReport;
  /** The node that a DaemonSet's pod is for. */
  daemonNode(pod: Pod): string | undefined;
  /** Taints of a node that keep a DaemonSet's pods away. */
  untoleratedByDaemon(set: DaemonSet, node: Node): readonly Taint[];
  /** The last lines that a container, or its run before, has printed; empty when there are none. */
  logTail(pod: Pod, container: string, previous: boolean, now: Millis): readonly string[];
  trace(question: TraceQuestion, now: Millis): TraceAnswer | string;
  /** What a write would be refused with, as a Status' message; undefined: it would not be. Stores nothing. */
  tryWrite(user: User, verb: 'create' | 'update', object: KubeObject, now: Millis): string | undefined;
}

export interface World extends WhyParts {
  readonly now: Millis;
  /** What the topic of a resource finds, for topics that would need each other. */
  explain(resource: string, object: KubeObject, depth: number): WhyFinding[];
  /** What becomes of a connection; none when it is delivered, or when one of its ends is not there. */
  connection(question: TraceQuestion): WhyFinding[];
}

/** Finds the reasons of one kind's objects. What is well has none. */
export type Topic<T extends KubeObject = KubeObject> = (world: World, object: T, depth: number) => WhyFinding[];

/** A pod of a ReplicaSet of a Deployment, and what it mounts. */
export const MAX_DEPTH = 4;
/** Evidence of one finding. */
export const MAX_DETAILS = 40;
const MAX_EVENTS = 2_000;

/** Each finding once. */
export const unique = (findings: readonly WhyFinding[]): WhyFinding[] =>
  findings.filter(
    ({ object, reason, message }, i) =>
      findings.findIndex((one) => one.object === object && one.reason === reason && one.message === message) === i,
  );

export const refOf = ({ kind, metadata }: Pick<KubeObject, 'kind' | 'metadata'>): string =>
  refText(kind.toLowerCase(), metadata.namespace ?? '', metadata.name ?? '');

export const refText = (kind: string, namespace: string, name: string): string =>
  [kind, namespace, name].filter((part) => part !== '').join('/');

/** The revision of an object's last change. */
export const revisionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);

export const findingOf = (
  object: KubeObject,
  reason: string,
  message: string,
  more: Partial<Pick<WhyFinding, 'details' | 'revision'>> = {},
): WhyFinding => ({ object: refOf(object), reason, message, revision: revisionOf(object), ...more });

export const kindOfResource = (world: Pick<World, 'kinds'>, resource: string): Kind | undefined =>
  world.kinds().find((kind) => !kind.storedAs && !kind.internal && storageKey(kind) === resource);

/** The kind of an object, as it is served. */
export const kindOfObject = (world: Pick<World, 'kinds'>, { apiVersion, kind }: KubeObject): Kind | undefined =>
  world
    .kinds()
    .find(
      (one) => !one.storedAs && one.kind === kind && `${one.group ? `${one.group}/` : ''}${one.version}` === apiVersion,
    );

/** The object that an owner reference or an event names, while it is there and is the same one. */
export function ownerObject(
  world: Pick<World, 'kinds' | 'read'>,
  owner: Partial<Pick<OwnerReference, 'apiVersion' | 'kind' | 'name' | 'uid'>>,
  namespace: string,
): KubeObject | undefined {
  const kind = world
    .kinds()
    .find((one) => one.kind === owner.kind && `${one.group ? `${one.group}/` : ''}${one.version}` === owner.apiVersion);
  const key: Key = { namespace: kind?.scope === 'Namespaced' ? namespace : '', name: owner.name ?? '' };
  const found = kind && world.read.get(kind, key);
  return found?.metadata.uid === owner.uid ? found : undefined;
}

const timeOf = ({ lastTimestamp, eventTime, series, metadata }: Event): string =>
  series?.lastObservedTime ?? lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';

/** The events about an object, the newest first. */
export function eventsOf(world: Pick<World, 'read'>, object: KubeObject): Event[] {
  const { namespace, name } = keyOf(object);
  return world.read
    .list(Events, namespace || 'default')
    .filter(({ involvedObject }) => involvedObject.name === name && involvedObject.kind === object.kind)
    .slice(-MAX_EVENTS)
    .sort((a, b) => compare(timeOf(b), timeOf(a)) || revisionOf(b) - revisionOf(a));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The newest event of one of these reasons whose message contains a text. */
export const lastEvent = (
  world: Pick<World, 'read'>,
  object: KubeObject,
  reasons: readonly string[],
  text = '',
): Event | undefined =>
  eventsOf(world, object).find(({ reason = '', message = '' }) => reasons.includes(reason) && message.includes(text));
