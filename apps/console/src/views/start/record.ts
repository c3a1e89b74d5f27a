import { request } from '../../api/graphql.js';
import { revisionAt } from '../../api/moment.js';
import { kubernetes } from '../../api/rest.js';
import { operation } from '../../api/operation.js';
import type { Entry, PodEvent, Recorded, StartedPod } from './pod-start.js';

interface Answer {
  readonly object: StartedPod | null;
  readonly timeline: { readonly entries: readonly Entry[] };
  readonly why: { readonly chain: readonly Entry[] };
  readonly objects: { readonly items: readonly PodEvent[] };
}

const ENTRY = 'revision at actor verb object fields';
const RECORD = operation<Answer, Record<string, unknown>>(
  `query ($id: ID!, $namespace: String!, $name: String!, $spec: JSON!, $events: String!) {
    object(clusterId: $id, apiVersion: "v1", kind: "Pod", namespace: $namespace, name: $name)
    timeline(clusterId: $id, filter: { resource: "pods", namespace: $namespace, name: $name, limit: 200 }) { entries { ${ENTRY} } }
    why(clusterId: $id, spec: $spec) { chain { ${ENTRY} } }
    objects(clusterId: $id, apiVersion: "v1", kind: "Event", namespace: $namespace, fieldSelector: $events, limit: 100) { items }
  }`,
);
const CLAIM = operation<{ readonly timeline: { readonly entries: readonly Entry[] } }, Record<string, unknown>>(
  `query ($id: ID!, $namespace: String!, $name: String!) {
    timeline(clusterId: $id, filter: { resource: "persistentvolumeclaims", namespace: $namespace, name: $name, limit: 50 }) {
      entries { ${ENTRY} } } }`,
);

const ENTRIES = operation<
  { readonly timeline: { readonly entries: readonly Entry[] } },
  {
    readonly id: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
    readonly before: number;
  }
>(
  `query ($id: ID!, $resource: String!, $namespace: String!, $name: String!, $before: Int) {
    timeline(clusterId: $id, filter: { resource: $resource, namespace: $namespace, name: $name, before: $before, limit: 200 }) {
      entries { ${ENTRY} } } }`,
);
const WHY_CHANGED = operation<
  { readonly why: { readonly chain: readonly Entry[] } },
  { readonly id: string; readonly spec: object }
>(`query ($id: ID!, $spec: JSON!) { why(clusterId: $id, spec: $spec) { chain { ${ENTRY} } } }`);

const MAX_CLAIMS = 5;

/** What the cluster has recorded of a pod until a moment: its log, its events, its status. Rejects with Failure. */
export const readRecord = (id: string, at: string, namespace: string, name: string): Promise<Recorded> =>
  at === '' ? readNow(id, namespace, name) : readPast(id, at, namespace, name);

/** The pod and its events as they were; of the log what is not after them. */
async function readPast(id: string, at: string, namespace: string, name: string): Promise<Recorded> {
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const events = `involvedObject.kind=Pod,involvedObject.name=${name}`;
  const read = async <T>(path: string): Promise<T> =>
    (await kubernetes({ clusterId: id, at }, path)).json() as Promise<T>;
  const [revision, pod, list] = await Promise.all([
    revisionAt(id, at),
    read<StartedPod>(`${base}/pods/${encodeURIComponent(name)}`),
    read<EventList>(`${base}/events?limit=100&fieldSelector=${encodeURIComponent(events)}`),
  ]);
  const before = revision + 1;
  const entriesOf = async (resource: string, of: string): Promise<readonly Entry[]> =>
    (await request(ENTRIES, { id, resource, namespace, name: of, before })).timeline.entries;
  const own = await entriesOf('pods', name);
  const made = own.find(({ verb }) => verb === 'create');
  const chain = made ? (await request(WHY_CHANGED, { id, spec: { revision: made.revision } })).why.chain : [];
  const ofClaims = await Promise.all(claimsOf(pod).map((claim) => entriesOf('persistentvolumeclaims', claim)));
  return { chain, entries: [...own, ...ofClaims.flat()], events: list.items, pod };
}

interface EventList {
  readonly items: readonly PodEvent[];
}

const claimsOf = (pod: StartedPod | null): string[] =>
  (pod?.spec?.volumes ?? [])
    .flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [])
    .slice(0, MAX_CLAIMS);

async function readNow(id: string, namespace: string, name: string): Promise<Recorded> {
  const spec = { resource: 'pods', namespace, name };
  const events = `involvedObject.kind=Pod,involvedObject.name=${name}`;
  const { object, timeline, why, objects } = await request(RECORD, { id, namespace, name, spec, events });
  const ofClaims = await Promise.all(claimsOf(object).map((claim) => request(CLAIM, { id, namespace, name: claim })));
  const entries = [...timeline.entries, ...ofClaims.flatMap((one) => one.timeline.entries)];
  return { chain: why.chain, entries, events: objects.items, ...(object ? { pod: object } : {}) };
}
