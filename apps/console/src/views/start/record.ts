import { request } from '../../api/graphql.js';
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

const MAX_CLAIMS = 5;

/** What the cluster has recorded of a pod: its log, its events, its status. Rejects with Failure. */
export async function readRecord(id: string, namespace: string, name: string): Promise<Recorded> {
  const spec = { resource: 'pods', namespace, name };
  const events = `involvedObject.kind=Pod,involvedObject.name=${name}`;
  const { object, timeline, why, objects } = await request(RECORD, { id, namespace, name, spec, events });
  const claims = (object?.spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  );
  const ofClaims = await Promise.all(
    claims.slice(0, MAX_CLAIMS).map((claim) => request(CLAIM, { id, namespace, name: claim })),
  );
  const entries = [...timeline.entries, ...ofClaims.flatMap((one) => one.timeline.entries)];
  return { chain: why.chain, entries, events: objects.items, ...(object ? { pod: object } : {}) };
}
