import { milliValue, podRequests, quantityValue, summarizePod, type KubeObject } from '@terrarium/engine';

/** What a picture shows of an object beside its metadata. */
export type Facts = Readonly<Record<string, unknown>>;

type Pod = Parameters<typeof summarizePod>[0];
type Container = { readonly name: string; readonly image?: string };
type ContainerStatus = {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: {
    readonly running?: object;
    readonly waiting?: { readonly reason?: string };
    readonly terminated?: { readonly reason?: string; readonly exitCode?: number };
  };
};
interface Loose extends KubeObject {
  // Only read by the names of the kind, and each of them may be missing.
  readonly spec?: Readonly<Record<string, any>>;
  readonly status?: Readonly<Record<string, any>>;
}

const ROLE = 'node-role.kubernetes.io/';
/** Of one Service's slice, node or policy. */
const MAX_NAMES = 200;
const MAX_PEERS = 50;
const MAX_PORTS = 10;

/** Of a Pod: the status that kubectl prints, where it is, what it asks for, its containers, its claims. */
function podFacts(object: KubeObject): Facts {
  const pod = object as Pod;
  const { reason, ready, total, restarts } = summarizePod(pod);
  const { cpu, memory } = podRequests(pod);
  const { spec, status } = pod;
  const claims = (spec.volumes ?? []).flatMap((v) => v.persistentVolumeClaim?.claimName ?? []).slice(0, MAX_NAMES);
  return present({
    status: reason,
    phase: status.phase,
    ready,
    total,
    restarts,
    node: spec.nodeName,
    scheduled: status.conditions?.find((c) => c.type === 'PodScheduled')?.message,
    cpu,
    memory,
    ip: status.podIP,
    claims,
    containers: containersOf(spec.containers, status.containerStatuses as readonly ContainerStatus[] | undefined),
  });
}

function containersOf(containers: readonly Container[], statuses: readonly ContainerStatus[] | undefined) {
  return containers.map(({ name, image }) => {
    const { state, ready, restartCount } = statuses?.find((s) => s.name === name) ?? { name };
    return present({ name, image, state: stateOf(state), ready: ready ?? false, restarts: restartCount ?? 0 });
  });
}

function stateOf(state: ContainerStatus['state']): string {
  if (state?.running) return 'Running';
  if (state?.terminated) return state.terminated.reason ?? `ExitCode:${state.terminated.exitCode}`;
  return state?.waiting?.reason ?? 'Waiting';
}

function nodeFacts({ metadata, spec, status }: Loose): Facts {
  const conditions = (status?.['conditions'] ?? []) as { type: string; status: string; reason?: string }[];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const can = (status?.['allocatable'] ?? {}) as Record<string, string>;
  return present({
    status: ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady',
    reason: ready?.status === 'True' ? undefined : ready?.reason,
    pressure: conditions.filter(({ type, status }) => type !== 'Ready' && status === 'True').map(({ type }) => type),
    cordoned: spec?.['unschedulable'] === true,
    roles: Object.keys(metadata.labels ?? {})
      .filter((key) => key.startsWith(ROLE))
      .map((key) => key.slice(ROLE.length)),
    taints: ((spec?.['taints'] ?? []) as { key: string; effect: string }[]).map((t) => `${t.key}:${t.effect}`),
    cpu: amount(can['cpu'], milliValue),
    memory: amount(can['memory'], quantityValue),
    pods: amount(can['pods'], quantityValue),
    volumes: ((status?.['volumesInUse'] ?? []) as string[]).slice(0, MAX_NAMES),
  });
}

const amount = (text: string | undefined, read: (text: string) => number): number | undefined =>
  text === undefined ? undefined : read(text);

const serviceFacts = ({ spec, status }: Loose): Facts =>
  present({
    type: spec?.['type'],
    ip: spec?.['clusterIP'],
    ports: ((spec?.['ports'] ?? []) as { port: number; protocol?: string; name?: string }[]).map(
      ({ port, protocol = 'TCP' }) => `${port}/${protocol}`,
    ),
    selector: spec?.['selector'],
    external: status?.['loadBalancer']?.ingress?.[0]?.ip,
  });

function sliceFacts(object: KubeObject): Facts {
  const { endpoints } = object as KubeObject & {
    endpoints?: { targetRef?: { kind?: string; name?: string }; conditions?: { ready?: boolean } }[];
  };
  const pods = (endpoints ?? []).filter(({ targetRef }) => targetRef?.kind === 'Pod').slice(0, MAX_NAMES);
  return present({
    service: object.metadata.labels?.['kubernetes.io/service-name'],
    ready: pods.filter((e) => e.conditions?.ready !== false).map((e) => e.targetRef!.name),
    unready: pods.filter((e) => e.conditions?.ready === false).map((e) => e.targetRef!.name),
  });
}

const claimFacts = ({ spec, status }: Loose): Facts =>
  present({
    status: status?.['phase'],
    volume: spec?.['volumeName'],
    class: spec?.['storageClassName'],
    size: status?.['capacity']?.storage ?? spec?.['resources']?.requests?.storage,
    modes: spec?.['accessModes'],
  });

const volumeFacts = ({ spec, status }: Loose): Facts =>
  present({
    status: status?.['phase'],
    claim: spec?.['claimRef'] && `${spec['claimRef'].namespace}/${spec['claimRef'].name}`,
    class: spec?.['storageClassName'],
    size: spec?.['capacity']?.storage,
    driver: spec?.['csi']?.driver,
    handle: spec?.['csi']?.volumeHandle,
  });

const attachmentFacts = ({ spec, status }: Loose): Facts =>
  present({
    node: spec?.['nodeName'],
    volume: spec?.['source']?.persistentVolumeName,
    attached: status?.['attached'] === true,
    error: status?.['attachError']?.message,
  });

/** What all that make pods have: how many there should be, and how many are ready. */
const workloadFacts = ({ spec, status }: Loose): Facts =>
  present({
    want: spec?.['replicas'] ?? spec?.['completions'] ?? status?.['desiredNumberScheduled'],
    ready: status?.['readyReplicas'] ?? status?.['numberReady'] ?? status?.['succeeded'] ?? 0,
    suspended: spec?.['suspend'] === true,
    schedule: spec?.['schedule'],
    paused: spec?.['paused'] === true,
  });

const policyFacts = ({ spec }: Loose): Facts =>
  present({
    selector: spec?.['podSelector'],
    types: spec?.['policyTypes'],
    in: peersOf(spec?.['ingress'], 'from'),
    out: peersOf(spec?.['egress'], 'to'),
  });

interface PolicyRule {
  readonly ports?: readonly {
    readonly port?: number | string;
    readonly endPort?: number;
    readonly protocol?: string;
  }[];
  readonly from?: readonly PolicyPeer[];
  readonly to?: readonly PolicyPeer[];
}
interface PolicyPeer {
  readonly podSelector?: object;
  readonly namespaceSelector?: object;
  readonly ipBlock?: { readonly cidr: string };
}

/** Whom the rules mean, one by one; a rule that names nobody means everybody. */
function peersOf(rules: unknown, way: 'from' | 'to'): Facts[] {
  const peers = ((rules ?? []) as readonly PolicyRule[]).flatMap((rule) => {
    const named = rule.ports?.map(({ port, endPort, protocol = 'TCP' }) =>
      [port === undefined ? '*' : endPort === undefined ? port : `${port}-${endPort}`, protocol].join('/'),
    );
    const ports = named?.slice(0, MAX_PORTS) ?? [];
    const whom: readonly PolicyPeer[] = rule[way]?.length ? rule[way] : [{}];
    return whom.map(({ podSelector, namespaceSelector, ipBlock }) =>
      present({ pods: podSelector, namespaces: namespaceSelector, block: ipBlock?.cidr, ports }),
    );
  });
  return peers.slice(0, MAX_PEERS);
}

const ingressFacts = ({ spec, status }: Loose): Facts => {
  const rules = (spec?.['rules'] ?? []) as { host?: string; http?: { paths?: { backend?: Backend }[] } }[];
  const backends = [spec?.['defaultBackend'] as Backend | undefined, ...rules.flatMap(pathsOf)];
  return present({
    hosts: rules.flatMap(({ host }) => host ?? []).slice(0, MAX_NAMES),
    services: [...new Set(backends.flatMap((b) => b?.service?.name ?? []))].slice(0, MAX_NAMES),
    address: status?.['loadBalancer']?.ingress?.[0]?.ip,
  });
};
type Backend = { readonly service?: { readonly name?: string } };
const pathsOf = ({ http }: { http?: { paths?: { backend?: Backend }[] } }): (Backend | undefined)[] =>
  (http?.paths ?? []).map(({ backend }) => backend);

const scalerFacts = ({ spec, status }: Loose): Facts =>
  present({
    target: spec?.['scaleTargetRef'] && `${spec['scaleTargetRef'].kind}/${spec['scaleTargetRef'].name}`,
    min: spec?.['minReplicas'],
    max: spec?.['maxReplicas'],
    want: status?.['desiredReplicas'],
  });

const faultFacts = ({ spec, status }: Loose): Facts =>
  present({
    type: spec?.['type'],
    status: status?.['phase'] ?? 'Pending',
    targets: ((status?.['targets'] ?? []) as string[]).slice(0, MAX_NAMES),
    ends: status?.['endsAt'],
    message: status?.['message'],
  });

/** By resource: what is in a picture, and the facts of it. */
export const FACTS: ReadonlyMap<string, (object: KubeObject) => Facts> = new Map<string, (object: Loose) => Facts>([
  ['namespaces', ({ status }) => present({ status: status?.['phase'] })],
  ['nodes', nodeFacts],
  ['pods', podFacts],
  ['services', serviceFacts],
  ['endpointslices.discovery.k8s.io', sliceFacts],
  ['ingresses.networking.k8s.io', ingressFacts],
  ['networkpolicies.networking.k8s.io', policyFacts],
  ['persistentvolumeclaims', claimFacts],
  ['persistentvolumes', volumeFacts],
  ['volumeattachments.storage.k8s.io', attachmentFacts],
  ['deployments.apps', workloadFacts],
  ['replicasets.apps', workloadFacts],
  ['statefulsets.apps', workloadFacts],
  ['daemonsets.apps', workloadFacts],
  ['replicationcontrollers', workloadFacts],
  ['jobs.batch', workloadFacts],
  ['cronjobs.batch', workloadFacts],
  ['horizontalpodautoscalers.autoscaling', scalerFacts],
  ['components.terrarium.dev', ({ spec }) => present({ enabled: spec?.['enabled'] !== false })],
  ['faults.terrarium.dev', faultFacts],
]);

/** Without what is undefined, null, false, '' or an empty list: the reader takes those for granted. */
function present(fields: Readonly<Record<string, unknown>>): Facts {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isNothing = value === undefined || value === null || value === false || value === '';
    if (!isNothing && !(Array.isArray(value) && value.length === 0)) kept[name] = value;
  }
  return kept;
}
