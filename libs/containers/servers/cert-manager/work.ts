import type { Client, Start } from '@terrarium/engine';
import type { KubeObject, OwnerReference } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import { timestamp, type Millis } from '../../../engine/machinery/time/time.js';
import type { LoopTools } from '../../../engine/node/cri/image.js';
import { flag } from '../../programs/task.js';
import type { Condition, Issuer } from './resources.js';

/** What a round of cert-manager's controllers works with. */
export interface Work {
  readonly api: Client;
  readonly now: Millis;
  /** Where the Secrets of ClusterIssuers are. */
  readonly clusterNamespace: string;
  /** Of its release: 9 of v1.9.1. */
  readonly minor: number;
  /** Another text at every call. */
  seed(purpose: string): string;
  say(object: KubeObject, isFine: boolean, reason: string, message: string, controller: string): void;
  wakeAt(at: Millis): void;
}

const NEWEST = 19;

export function workOf(api: Client, start: Start, { now, event, wakeAt }: LoopTools): Work {
  const namespace = flag(start, 'cluster-resource-namespace', '$(POD_NAMESPACE)');
  const [, minor] = /:v1\.(\d{1,3})/.exec(start.container.image ?? '') ?? [];
  return {
    ...{ api, now, minor: minor === undefined ? NEWEST : Number(minor) },
    clusterNamespace: namespace.startsWith('$') ? start.pod.namespace : namespace,
    seed: (purpose) => `${start.seed} ${api.revision} ${purpose}`,
    say: (object, isFine, reason, message, controller) =>
      event(object, isFine ? 'Normal' : 'Warning', reason, message, { component: `cert-manager-${controller}` }),
    wakeAt: (at) => wakeAt?.(at),
  };
}

export const conditionOf = (
  { status }: { readonly status?: { readonly conditions?: readonly Condition[] } },
  type: string,
): Condition | undefined => status?.conditions?.find((one) => one.type === type);

/** Conditions with one that is said anew; it keeps its time while its status stays. Models SetCertificateCondition. */
export function withCondition(
  before: readonly Condition[] = [],
  said: Omit<Condition, 'lastTransitionTime'>,
  now: Millis,
): Condition[] {
  const old = before.find(({ type }) => type === said.type);
  const isSame = old?.status === said.status && old.lastTransitionTime !== undefined;
  const one = { ...said, lastTransitionTime: isSame ? old.lastTransitionTime! : timestamp(now) };
  return old ? before.map((each) => (each === old ? one : each)) : [...before, one];
}

/** Writes a status when it is another one. */
export function writeStatus<T extends KubeObject>({ api }: Work, object: T, status: unknown): void {
  if (JSON.stringify((object as { status?: unknown }).status) === JSON.stringify(status)) return;
  const kind = api.kindFor(object.apiVersion, object.kind);
  if (kind) api.updateStatus(kind, { ...object, status } as KubeObject);
}

/** Models metav1.NewControllerRef. */
export const ownedBy = ({ apiVersion, kind, metadata }: KubeObject): OwnerReference[] => [
  { apiVersion, blockOwnerDeletion: true, controller: true, kind, name: metadata.name!, uid: metadata.uid! },
];

/** The objects of a kind that another one controls. */
export const controlledBy = <T extends KubeObject>({ api }: Work, resource: Resource<T>, owner: KubeObject): T[] =>
  api
    .dependents(owner.metadata.uid ?? '')
    .filter((one) => one.kind === resource.kind && one.metadata.namespace === owner.metadata.namespace)
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)) as T[];

/** Writes go by the kind that is served, which knows the definition's schema. */
export function create<T extends KubeObject>({ api }: Work, resource: Resource<T>, object: T): T {
  const kind = api.kindFor(object.apiVersion, object.kind);
  return api.create((kind ?? resource) as Resource<T>, object);
}

/** The same of an object that is there. */
export function update<T extends KubeObject>({ api }: Work, resource: Resource<T>, object: T): T {
  const kind = api.kindFor(object.apiVersion, object.kind);
  return api.update((kind ?? resource) as Resource<T>, object);
}

export function remove({ api }: Work, { apiVersion, kind: name, metadata }: KubeObject): void {
  const kind = api.kindFor(apiVersion, name);
  if (kind && !metadata.deletionTimestamp)
    api.delete(kind, { namespace: metadata.namespace ?? '', name: metadata.name! });
}

const NAME_LENGTH = 52;

/** The beginning of a name that a suffix follows. Models DNSSafeShortenTo52Characters. */
export function shortened(name: string): string {
  let end = Math.min(name.length, NAME_LENGTH);
  while (end > 0 && !/[A-Za-z\d]/.test(name[end - 1]!)) end--;
  return name.slice(0, end);
}

/** What an issuer says of itself, and whether it could be set up. */
export interface Verdict {
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
  /** What went wrong, as its events say it; undefined: nothing that is tried again. */
  readonly error?: string;
  readonly acme?: NonNullable<Issuer['status']>['acme'];
}

export const secretNamespaceOf = ({ clusterNamespace }: Work, { kind, metadata }: KubeObject): string =>
  kind === 'ClusterIssuer' ? clusterNamespace : (metadata.namespace ?? '');

/** What becomes of a request in one round. */
export type Outcome =
  | { readonly certificate: string; readonly ca?: string }
  | { readonly pending: string; readonly message: string }
  | { readonly failed: string; readonly message: string };
