import type { Node, Pod, Taint } from '../../../../engine/api/core_v1.js';
import { addQuantities, canonicalQuantity } from '../../../../engine/machinery/quantity/quantity.js';
import { ageSince } from '../../../../engine/machinery/time/time.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, longTime, sortedKeys } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { bytesOfQuantity, milliCores } from './parts/quantity.js';

const ROLE = 'node-role.kubernetes.io/';
type Quantities = Readonly<Record<string, string>>;

/** Models k8s.io/kubectl/pkg/describe describeNode. */
export function describeNode(session: Session, details: Details, object: ApiObject): void {
  const node = object as unknown as Node;
  const { metadata, spec, status } = node;
  const roles = sortedKeys(metadata.labels)
    .filter((key) => key.startsWith(ROLE))
    .map((key) => key.slice(ROLE.length));
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Roles', roles.join(',') || '<none>');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  details.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  describeTaints(details, spec.taints ?? []);
  details.field(0, 'Unschedulable', spec.unschedulable ?? false);
  describeLease(session, details, metadata.name ?? '');
  describeConditions(details, node);
  details.line(0, 'Addresses:');
  for (const { type, address } of status.addresses ?? []) details.field(1, type, address);
  const list = (title: string, quantities: Quantities = {}): void => {
    if (Object.keys(quantities).length === 0) return;
    details.line(0, `${title}:`);
    for (const name of sortedKeys(quantities)) details.field(1, name, canonicalQuantity(quantities[name]!));
  };
  list('Capacity', status.capacity);
  list('Allocatable', status.allocatable);
  describeSystem(details, node);
  describePods(session, details, node);
  describeEvents(session, details, object);
}

function describeTaints(details: Details, taints: readonly Taint[]): void {
  details.write(0, 'Taints:\t');
  if (taints.length === 0) return details.write(0, '<none>\n');
  const key = (taint: Taint): string => `${taint.effect},${taint.key}`;
  [...taints]
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .forEach((taint, at) =>
      details.write(0, `${at > 0 ? '\t' : ''}${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}\n`),
    );
}

function describeLease(session: Session, details: Details, name: string): void {
  const lease = session.find(`/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`);
  if (!lease) return details.line(0, `Lease:\tFailed to get lease: leases.coordination.k8s.io "${name}" not found`);
  const spec = (lease['spec'] ?? {}) as { holderIdentity?: string; acquireTime?: string; renewTime?: string };
  details.line(0, 'Lease:');
  details.field(1, 'HolderIdentity', spec.holderIdentity ?? '<unset>');
  details.field(1, 'AcquireTime', spec.acquireTime ? longTime(spec.acquireTime) : '<unset>');
  details.field(1, 'RenewTime', spec.renewTime ? longTime(spec.renewTime) : '<unset>');
}

function describeConditions(details: Details, { status }: Node): void {
  if (!status.conditions?.length) return;
  details.line(0, 'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage');
  details.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
  for (const one of status.conditions)
    details.line(
      1,
      `${one.type} \t${one.status} \t${longTime(one.lastHeartbeatTime)} \t${longTime(one.lastTransitionTime)} \t${one.reason ?? ''} \t${one.message ?? ''}`,
    );
}

function describeSystem(details: Details, { spec, status }: Node): void {
  const info = (status.nodeInfo ?? {}) as Readonly<Record<string, string | undefined>>;
  details.line(0, 'System Info:');
  for (const [title, field] of SYSTEM) details.field(1, title, info[field] ?? '');
  if (spec.podCIDR) details.field(0, 'PodCIDR', spec.podCIDR);
  if (spec.podCIDRs?.length) details.field(0, 'PodCIDRs', spec.podCIDRs.join(','));
  if (spec.providerID) details.field(0, 'ProviderID', spec.providerID);
}

const SYSTEM: readonly (readonly [title: string, field: string])[] = [
  ['Machine ID', 'machineID'],
  ['System UUID', 'systemUUID'],
  ['Boot ID', 'bootID'],
  ['Kernel Version', 'kernelVersion'],
  ['OS Image', 'osImage'],
  ['Operating System', 'operatingSystem'],
  ['Architecture', 'architecture'],
  ['Container Runtime Version', 'containerRuntimeVersion'],
  ['Kubelet Version', 'kubeletVersion'],
];

const sum = (all: readonly (string | undefined)[]): string =>
  canonicalQuantity(
    all.reduce<string>(
      (total, one) => (one === undefined ? total : total === '0' ? one : addQuantities(total, one)),
      '0',
    ),
  );

const larger = (a: string, b: string): string =>
  bytesOfQuantity(a) * 1_000 + milliCores(a) >= bytesOfQuantity(b) * 1_000 + milliCores(b) ? a : b;

/** What a pod asks for of one resource: its containers together, or its largest init container. */
function demandOf({ spec }: Pod, field: 'requests' | 'limits', name: string): string {
  const of = (
    list: readonly { readonly resources?: Readonly<Record<string, unknown>> }[] = [],
  ): (string | undefined)[] => list.map(({ resources }) => (resources?.[field] as Quantities | undefined)?.[name]);
  const [sidecars, inits] = [
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy !== 'Always'),
  ];
  const most = of(inits as never).reduce<string>((best, one) => (one === undefined ? best : larger(one, best)), '0');
  const running = sum([...of(spec.containers as never), ...of(sidecars as never)]);
  const overhead = (spec.overhead as Quantities | undefined)?.[name];
  return canonicalQuantity(sum([larger(running, most), overhead]));
}

function describePods(session: Session, details: Details, { metadata, status }: Node): void {
  const selector = `spec.nodeName=${metadata.name ?? ''},status.phase!=Succeeded,status.phase!=Failed`;
  const list = session.get(`/api/v1/pods?fieldSelector=${encodeURIComponent(selector)}`);
  const pods = (list['items'] ?? []) as readonly Pod[];
  const most = (status.allocatable ?? status.capacity ?? {}) as Quantities;
  const shown = (amount: string, name: string): string => {
    const whole = name === 'cpu' ? milliCores(most[name]) : bytesOfQuantity(most[name]);
    const part = name === 'cpu' ? milliCores(amount) : bytesOfQuantity(amount);
    return `${amount} (${whole === 0 ? 0 : Math.trunc((part / whole) * 100)}%)`;
  };
  details.line(0, `Non-terminated Pods:\t(${pods.length} in total)`);
  details.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  details.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  for (const pod of pods) {
    const cells = [
      shown(demandOf(pod, 'requests', 'cpu'), 'cpu'),
      shown(demandOf(pod, 'limits', 'cpu'), 'cpu'),
      shown(demandOf(pod, 'requests', 'memory'), 'memory'),
      shown(demandOf(pod, 'limits', 'memory'), 'memory'),
      ageSince(pod.metadata.creationTimestamp, session.now),
    ];
    details.line(1, `${pod.metadata.namespace ?? ''}\t${pod.metadata.name ?? ''}\t\t${cells.join('\t')}`);
  }
  details.line(0, 'Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)');
  details.line(1, 'Resource\tRequests\tLimits');
  details.line(1, '--------\t--------\t------');
  const huge = sortedKeys(most).filter((name) => name.startsWith('hugepages-'));
  const total = (field: 'requests' | 'limits', name: string): string =>
    sum(pods.map((pod) => demandOf(pod, field, name)));
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...huge])
    details.line(1, `${name}\t${shown(total('requests', name), name)}\t${shown(total('limits', name), name)}`);
  const extended = sortedKeys(most).filter((name) => !/^(cpu|memory|ephemeral-storage|pods|hugepages-.*)$/.test(name));
  for (const name of extended) details.line(1, `${name}\t${total('requests', name)}\t${total('limits', name)}`);
}
