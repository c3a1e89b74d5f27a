import type { Deployment, ReplicaSet, StatefulSet } from '../../../api/apps_v1.js';
import type { Pod, Service, ServicePort } from '../../../api/core_v1.js';
import { DaemonSets, Deployments, Pods, ReplicaSets, StatefulSets } from '../../../kinds/index.js';
import { isPodReady } from '../../../kinds/core/pod/status/phase.js';
import { controllerOf } from '../../../machinery/meta/object.js';
import { formatMap, matchesMap } from '../../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { editDistance } from '../../find-object.js';
import { findingOf, lastEvent, MAX_DEPTH, refOf, revisionOf, type Topic, type World } from '../../world.js';
import { wayFindings } from './ways.js';
import { externalName, withoutSelector } from './without-selector.js';
import { deploymentTopic, podReasons, podsSelectedBy, replicaSetTopic, statefulSetTopic } from '../workloads.js';

const MAX_LABELS = 3;

/** Why nobody answers at a Service. */
export const serviceTopic: Topic<Service> = (world, service, depth) => {
  const { spec, metadata } = service;
  if (spec.type === 'ExternalName') return externalName(world, service, depth);
  if (!spec.selector) return withoutSelector(world, service);
  const pods = podsSelectedBy(world, metadata.namespace ?? '', spec.selector);
  if (pods.length === 0) return noPods(world, service, depth);
  const ready = pods.filter(isPodReady);
  if (ready.length === 0 && !spec.publishNotReadyAddresses) {
    const message = `it selects ${pods.length} pods (${formatMap(spec.selector)}), and none of them is ready`;
    return [...podReasons(world, pods, depth), findingOf(service, 'NoReadyEndpoints', message)];
  }
  const found = (spec.ports ?? []).flatMap((port) => portFindings(world, service, port, ready));
  return [...found, ...addressFindings(world, service)];
};

/** The workloads whose pods it would select, which have none; else pods whose labels are like its selector. */
function noPods(world: World, service: Service, depth: number): WhyFinding[] {
  const { read } = world;
  const selector = service.spec.selector ?? {};
  const { namespace } = service.metadata;
  const own = findingOf(service, 'NoEndpoints', `no pod has the labels of its selector: ${formatMap(selector)}`);
  const makers = [
    ...read.list(Deployments, namespace),
    ...read.list(StatefulSets, namespace),
    ...read.list(DaemonSets, namespace),
    ...read.list(ReplicaSets, namespace).filter((set) => !controllerOf(set)),
  ].filter(({ spec }) => matchesMap(selector, spec.template?.metadata?.labels));
  if (makers.length > 0 && depth < MAX_DEPTH) {
    const reasons = makers.flatMap((maker) => {
      if (maker.kind === 'Deployment') return deploymentTopic(world, maker as Deployment, depth + 1);
      if (maker.kind === 'DaemonSet') return world.explain('daemonsets.apps', maker, depth + 1);
      if (maker.kind === 'StatefulSet') return statefulSetTopic(world, maker as StatefulSet, depth + 1);
      return replicaSetTopic(world, maker as ReplicaSet, depth + 1);
    });
    return [...reasons, { ...own, details: makers.map((maker) => `${refOf(maker)} makes such pods, and has none`) }];
  }
  const pods = read.list(Pods, namespace);
  const agreed = ({ metadata }: Pod): number =>
    Object.entries(selector).filter(([key, value]) => metadata.labels?.[key] === value).length;
  const near = pods
    .filter(({ metadata: { labels = {} } }) =>
      Object.keys(selector).some((key) => key in labels || Object.keys(labels).some((k) => isNear(k, key))),
    )
    .sort((a, b) => agreed(b) - agreed(a));
  const labels = new Map<string, string>();
  for (const pod of near) labels.set(formatMap(pod.metadata.labels), refOf(pod));
  const details = [...labels].slice(0, MAX_LABELS).map(([text, ref]) => `${ref} has the labels ${text}`);
  return [{ ...own, details: [...details, ...elsewhere(read, service)] }];
}

/** Namespaces that have pods of its selector, which it does not select. */
function elsewhere(read: World['read'], { metadata, spec }: Service): string[] {
  const others = read.list(Pods).filter(({ metadata: { namespace, labels } }) => {
    return namespace !== metadata.namespace && matchesMap(spec.selector ?? {}, labels);
  });
  const names = [...new Set(others.map(({ metadata: { namespace = '' } }) => namespace))].slice(0, MAX_LABELS);
  return names.map((name) => `pods of the namespace ${name} have them: a Service selects those of its own alone`);
}

const isNear = (a: string, b: string): boolean => editDistance(a, b, 2) <= 2;

/** A port that the pods do not have, or at which nothing listens. */
function portFindings(world: World, service: Service, port: ServicePort, ready: readonly Pod[]): WhyFinding[] {
  const target = port.targetPort ?? port.port;
  const name = port.name ? `"${port.name}" (${port.port})` : String(port.port);
  if (typeof target === 'string' && !ready.some((pod) => hasPort(pod, target, port.protocol))) {
    const known = [...new Set(ready.flatMap(portNames))];
    const has = known.length > 0 ? `they have ${known.join(', ')}` : 'they name none';
    return [
      findingOf(service, 'NoSuchPort', `port ${name} goes to the pods' port "${target}", which none has: ${has}`),
    ];
  }
  if ((port.protocol ?? 'TCP') !== 'TCP') return [];
  const way = wayFindings(world, service, port, name);
  return [...deafPods(world, service, port, ready), ...way];
}

/** Pods among the ready ones that refuse: a part of the connections fails. */
function deafPods(world: World, service: Service, port: ServicePort, ready: readonly Pod[]): WhyFinding[] {
  if (ready.length < 2 || service.spec.clusterIP === 'None') return [];
  return ready.slice(0, MAX_ASKED).flatMap((pod) => {
    const { namespace = '', name = '' } = pod.metadata;
    const number = findPort(pod, port);
    const node = pod.spec.nodeName;
    if (number === undefined || node === undefined) return [];
    const from = { type: 'node' as const, name: node };
    const to = { type: 'pod' as const, namespace, name };
    const answer = world.trace({ from, to, port: number, protocol: 'TCP' }, world.now);
    if (typeof answer === 'string' || answer.verdict !== 'Refused') return [];
    const message = `it is one of ${ready.length} ready pods of ${refOf(service)}, and nothing listens at its port ${number}`;
    return [findingOf(pod, 'ConnectionRefused', message)];
  });
}

/** The number of the port that a Service's port means in a pod. Models pkg/api/v1/pod FindPort. */
function findPort(pod: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort ?? port;
  return containersOf(pod)
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

const MAX_ASKED = 5;

const containersOf = ({ spec }: Pod) => [...spec.containers, ...(spec.initContainers ?? [])];
const hasPort = (pod: Pod, name: string, protocol = 'TCP'): boolean =>
  containersOf(pod).some(({ ports }) =>
    ports?.some((one) => one.name === name && (one.protocol ?? 'TCP') === protocol),
  );
const portNames = (pod: Pod): string[] =>
  containersOf(pod).flatMap(({ ports = [] }) => ports.flatMap((port) => (port.name ? [`"${port.name}"`] : [])));

/** Why a LoadBalancer has no address. */
function addressFindings(world: World, service: Service): WhyFinding[] {
  const { spec, status } = service;
  if (spec.type !== 'LoadBalancer' || status?.loadBalancer?.ingress?.length) return [];
  const event = lastEvent(world, service, ['SyncLoadBalancerFailed', 'AllocationFailed']);
  const { loadBalancerClass } = spec;
  if (loadBalancerClass && !event) {
    const message = `its load balancer is left to who serves the class "${loadBalancerClass}", and nobody has made one`;
    return [findingOf(service, 'LoadBalancerClass', message)];
  }
  const begun = lastEvent(world, service, ['EnsuringLoadBalancer']);
  const waits = begun
    ? `its load balancer is asked for since ${begun.firstTimestamp ?? ''}, and is not ready`
    : 'no load balancer has been made for it: nothing in the cluster makes any';
  const message = event?.message ?? waits;
  return [
    findingOf(service, event?.reason ?? 'Pending', message, {
      revision: event ? revisionOf(event) : revisionOf(service),
    }),
  ];
}
