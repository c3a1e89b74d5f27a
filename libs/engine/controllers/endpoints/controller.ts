import type {
  EndpointAddress,
  EndpointPort,
  Endpoints as EndpointsObject,
  EndpointSubset,
  Pod,
  Service,
} from '../../api/core_v1.js';
import { Endpoints, Services } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { timestamp } from '../../machinery/time/time.js';
import { defineController, watch } from '../../runtime/controller.js';
import { isPodTerminal, isPodReady } from '../../kinds/core/pod/status/phase.js';
import {
  HEADLESS_LABEL,
  hostnameFor,
  isHeadless,
  getServicePods,
  servicePodsSource,
  selectsPods,
  findPort,
  portMapKey,
  TRIGGER_TIME,
} from '../service-pods.js';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const MAX_ADDRESSES = 1000;

/** Keeps the older Endpoints object of each service in step with its pods. Models pkg/controller/endpoint. */
export const controller = defineController({
  name: 'endpoints',
  actor: 'system:serviceaccount:kube-system:endpoint-controller',
  eventSource: 'endpoint-controller',
  for: Services,
  watches: [servicePodsSource, watch<EndpointsObject>({ kind: Endpoints })],
  reconcile({ client, now }, key) {
    const service = client.get(Services, key);
    const current = client.get(Endpoints, key);
    if (!service) {
      if (current?.metadata.labels?.[MANAGED_BY]) client.delete(Endpoints, key);
      return;
    }
    if (!selectsPods(service)) return;
    const pods = getServicePods(client, service).filter((pod) => shouldPodBeInEndpoints(pod, service));
    const { subsets, truncated } = subsetsOf(service, pods);
    const labels = {
      ...service.metadata.labels,
      [MANAGED_BY]: 'endpoint-controller',
      ...(isHeadless(service) ? { [HEADLESS_LABEL]: '' } : {}),
    };
    const unchanged =
      current && deepEqual(subsets, current.subsets ?? []) && deepEqual(labels, current.metadata.labels);
    if (unchanged && truncated === (current.metadata.annotations?.[OVER_CAPACITY] !== undefined)) return;
    const { [OVER_CAPACITY]: _, ...annotations } = current?.metadata.annotations ?? {};
    annotations[TRIGGER_TIME] = timestamp(now);
    if (truncated) annotations[OVER_CAPACITY] = 'truncated';
    const content = subsets.length ? { subsets } : {};
    if (current) {
      const { subsets: _old, ...rest } = current;
      client.update(Endpoints, { ...rest, metadata: { ...current.metadata, labels, annotations }, ...content });
    } else {
      client.create(Endpoints, {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: key.name, namespace: key.namespace, labels, annotations },
        ...content,
      });
    }
  },
});

const shouldPodBeInEndpoints = (pod: Pod, service: Service): boolean =>
  ipOf(service, pod) !== undefined &&
  !isPodTerminal(pod) &&
  (pod.metadata.deletionTimestamp === undefined || Boolean(service.spec.publishNotReadyAddresses));

/** One subset for all pods that answer on the same ports; at most 1000 addresses in all, ready ones first. */
function subsetsOf(service: Service, pods: readonly Pod[]): { subsets: EndpointSubset[]; truncated: boolean } {
  const groups = new Map<string, { ports: EndpointPort[]; ready: EndpointAddress[]; notReady: EndpointAddress[] }>();
  let count = 0;
  const isUsable = (pod: Pod): boolean => Boolean(service.spec.publishNotReadyAddresses) || isPodReady(pod);
  const ordered = pods.length > MAX_ADDRESSES ? [...pods.filter(isUsable), ...pods.filter((p) => !isUsable(p))] : pods;
  for (const pod of ordered.slice(0, MAX_ADDRESSES)) {
    const id = portMapKey(service, pod);
    let group = groups.get(id);
    if (!group) groups.set(id, (group = { ports: portsOn(service, pod), ready: [], notReady: [] }));
    if (group.ports.length === 0 && !(isHeadless(service) && !service.spec.ports?.length)) continue;
    (isUsable(pod) ? group.ready : group.notReady).push(addressOf(service, pod));
    count++;
  }
  const subsets = [...groups.values()]
    .filter((g) => g.ready.length + g.notReady.length > 0)
    .map(({ ports, ready, notReady }): EndpointSubset => ({
      ...(ready.length ? { addresses: ready.sort(byAddress) } : {}),
      ...(notReady.length ? { notReadyAddresses: notReady.sort(byAddress) } : {}),
      ...(ports.length ? { ports } : {}),
    }));
  return { subsets, truncated: count < pods.length && pods.length > MAX_ADDRESSES };
}

function portsOn(service: Service, pod: Pod): EndpointPort[] {
  const ports: EndpointPort[] = [];
  for (const port of service.spec.ports ?? []) {
    const number = findPort(pod, port);
    if (number === undefined) continue;
    ports.push({
      ...(port.name ? { name: port.name } : {}),
      port: number,
      protocol: port.protocol ?? 'TCP',
      ...(port.appProtocol ? { appProtocol: port.appProtocol } : {}),
    });
  }
  return ports;
}

/** That of the Service's first family; undefined: it has none. Models podToEndpointAddressForService. */
function ipOf({ spec }: Service, { status }: Pod): string | undefined {
  if (spec.ipFamilies?.[0] !== 'IPv6') return status.podIP;
  return status.podIPs?.find(({ ip }) => ip.includes(':'))?.ip;
}

function addressOf(service: Service, pod: Pod): EndpointAddress {
  const { name, namespace, uid } = pod.metadata;
  const hostname = hostnameFor(pod, service);
  return {
    ...(hostname ? { hostname } : {}),
    ip: ipOf(service, pod)!,
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

const byAddress = (a: EndpointAddress, b: EndpointAddress): number => (a.ip < b.ip ? -1 : a.ip > b.ip ? 1 : 0);
