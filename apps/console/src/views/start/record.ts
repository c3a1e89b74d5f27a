import { request } from '../../api/graphql.js';
import { revisionAt } from '../../api/moment.js';
import { kubernetes } from '../../api/rest.js';
import { READ_CLAIM, READ_ENTRIES, READ_START, WHY_CHANGED } from './operations.generated.js';
import type { WhyStep } from '../../kube/why/why.generated.js';
import type { PodEvent, Recorded, StartedPod } from './pod-start.js';

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
  const entriesOf = async (resource: string, of: string): Promise<readonly WhyStep[]> =>
    (await request(READ_ENTRIES, { id, resource, namespace, name: of, before })).timeline.entries;
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
  const { timeline, why, objects, ...found } = await request(READ_START, { id, namespace, name, spec, events });
  const object = found.object as StartedPod | null;
  const ofClaims = await Promise.all(
    claimsOf(object).map((claim) => request(READ_CLAIM, { id, namespace, name: claim })),
  );
  const entries = [...timeline.entries, ...ofClaims.flatMap((one) => one.timeline.entries)];
  return {
    chain: why.chain,
    entries,
    events: objects.items as readonly PodEvent[],
    ...(object ? { pod: object } : {}),
  };
}
