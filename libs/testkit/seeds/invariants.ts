import type { Cluster, KubeObject } from '@terrarium/engine';

interface Pod extends KubeObject {
  spec: {
    nodeName?: string;
    hostNetwork?: boolean;
    containers: { resources?: { requests?: Record<string, string> } }[];
  };
  status: { phase?: string; podIP?: string; conditions?: { type: string; status: string }[] };
}
interface Counted extends KubeObject {
  spec: { replicas?: number };
  status: { replicas?: number; readyReplicas?: number };
}

const ADMIN = { name: 'invariants', groups: ['system:masters'] };
const RUNNING = (p: Pod): boolean => p.status.phase !== 'Succeeded' && p.status.phase !== 'Failed';

/** What must be true of any settled cluster, whatever has been done to it. Each text names what is wrong. */
export function violations(cluster: Cluster): string[] {
  const client = cluster.client(ADMIN);
  const all = <T extends KubeObject>(apiVersion: string, kind: string): readonly T[] =>
    client.list(client.kindFor(apiVersion, kind)!) as readonly T[];
  const pods = all<Pod>('v1', 'Pod');
  return [
    ...ownersExist(
      client.allKinds().flatMap((k) => client.list(k)),
      (o) => client.kindFor(o.apiVersion, o.kind),
    ),
    ...addressesAreUnique(pods),
    ...replicasAreKept(all<Counted>('apps/v1', 'ReplicaSet'), pods),
    ...endpointsAreReady(
      all<KubeObject & { endpoints?: { addresses: string[]; conditions?: { ready?: boolean } }[] }>(
        'discovery.k8s.io/v1',
        'EndpointSlice',
      ),
      pods,
    ),
    ...namespacesExist(pods, new Set(all('v1', 'Namespace').map((n) => n.metadata.name))),
  ];
}

function ownersExist(
  objects: readonly KubeObject[],
  kindOf: (o: { apiVersion: string; kind: string }) => unknown,
): string[] {
  const uids = new Set(objects.map((o) => o.metadata.uid));
  return objects.flatMap((o) =>
    (o.metadata.ownerReferences ?? []).length > 0 &&
    (o.metadata.ownerReferences ?? []).every((r) => kindOf(r) && !uids.has(r.uid))
      ? [
          `${o.kind} ${o.metadata.namespace}/${o.metadata.name} outlives its owner ${o.metadata.ownerReferences![0]!.kind} ${o.metadata.ownerReferences![0]!.name}`,
        ]
      : [],
  );
}

function addressesAreUnique(pods: readonly Pod[]): string[] {
  const seen = new Map<string, string>();
  return pods.flatMap((p) => {
    if (!p.status.podIP || p.spec.hostNetwork || !RUNNING(p)) return [];
    const other = seen.get(p.status.podIP);
    seen.set(p.status.podIP, p.metadata.name!);
    return other ? [`pods ${other} and ${p.metadata.name} share ${p.status.podIP}`] : [];
  });
}

function replicasAreKept(sets: readonly Counted[], pods: readonly Pod[]): string[] {
  const owned = new Map<string, number>();
  for (const p of pods) {
    const owner = p.metadata.ownerReferences?.find((r) => r.controller)?.uid;
    if (owner && RUNNING(p) && !p.metadata.deletionTimestamp) owned.set(owner, (owned.get(owner) ?? 0) + 1);
  }
  return sets.flatMap((s) => {
    const have = owned.get(s.metadata.uid!) ?? 0;
    if (s.metadata.deletionTimestamp || (have === (s.spec.replicas ?? 0) && have === (s.status.replicas ?? 0)))
      return [];
    return [`ReplicaSet ${s.metadata.name} wants ${s.spec.replicas} pods, says ${s.status.replicas}, has ${have}`];
  });
}

function endpointsAreReady(
  slices: readonly (KubeObject & { endpoints?: { addresses: string[]; conditions?: { ready?: boolean } }[] })[],
  pods: readonly Pod[],
): string[] {
  const ready = new Set(
    pods
      .filter((p) => p.status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True'))
      .map((p) => p.status.podIP),
  );
  return slices.flatMap((s) =>
    s.metadata.name === 'kubernetes'
      ? []
      : (s.endpoints ?? []).flatMap((e) =>
          e.conditions?.ready && !ready.has(e.addresses[0])
            ? [`slice ${s.metadata.name} sends to ${e.addresses[0]}, which is not ready`]
            : [],
        ),
  );
}

const namespacesExist = (pods: readonly Pod[], names: ReadonlySet<string | undefined>): string[] =>
  pods.flatMap((p) =>
    names.has(p.metadata.namespace)
      ? []
      : [`pod ${p.metadata.name} is in namespace ${p.metadata.namespace}, which does not exist`],
  );
