import type { Pod, Service, ServicePort } from '../api/core_v1.js';
import { Pods, Services } from '../kinds/index.js';
import type { Reader } from '../machinery/client.js';
import { keyOf } from '../machinery/meta/object.js';
import { matchesMap } from '../machinery/selectors/selectors.js';
import { watch, type Source } from '../runtime/controller.js';
import { isPodTerminal, isPodReady } from '../kinds/core/pod/status/phase.js';

export const HEADLESS_LABEL = 'service.kubernetes.io/headless';
export const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';

export const isHeadless = (service: Service): boolean => service.spec.clusterIP === 'None';

/** Endpoints derive from pods only for services that select some. */
export const selectsPods = (service: Service): boolean =>
  service.spec.selector !== undefined && service.spec.type !== 'ExternalName';

export const getServicePods = (reader: Reader, service: Service): Pod[] =>
  reader
    .list(Pods, service.metadata.namespace ?? '')
    .filter((pod) => matchesMap(service.spec.selector, pod.metadata.labels));

/** Wakes the Services that select a pod, or did, when a change of the pod shows in their endpoints. */
export const servicePodsSource: Source = watch<Pod>({
  kind: Pods,
  when: (pod, old) => (old ? podEndpointsChanged(old, pod) : pod.status.podIP !== undefined),
  keys(pod, reader, old) {
    const { namespace, labels } = pod.metadata;
    const selects = ({ spec: { selector } }: Service): boolean =>
      Boolean(selector) && (matchesMap(selector, labels) || matchesMap(selector, (old ?? pod).metadata.labels));
    return reader.list(Services, namespace).filter(selects).map(keyOf);
  },
});

/** Models endpointslice/util podEndpointsChanged. */
function podEndpointsChanged(old: Pod, pod: Pod): boolean {
  if (old.status.podIP === undefined && pod.status.podIP === undefined) return false;
  // A deletion is told with the last state: nothing but the revision differs from what was there.
  return (
    (old.spec === pod.spec && old.status === pod.status) ||
    isPodReady(old) !== isPodReady(pod) ||
    old.status.podIP !== pod.status.podIP ||
    old.metadata.deletionTimestamp !== pod.metadata.deletionTimestamp ||
    old.metadata.labels !== pod.metadata.labels ||
    old.spec.nodeName !== pod.spec.nodeName ||
    isPodTerminal(old) !== isPodTerminal(pod)
  );
}

/**
 * The number behind a service's target port on this pod; undefined when the pod has no such port. Models pod/util
 * FindPort.
 */
export function findPort(pod: Pod, port: ServicePort): number | undefined {
  const target = port.targetPort ?? port.port;
  if (typeof target === 'number') return target;
  const sidecars = (pod.spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always');
  for (const container of [...pod.spec.containers, ...sidecars]) {
    const found = container.ports?.find((p) => p.name === target && (p.protocol ?? 'TCP') === (port.protocol ?? 'TCP'));
    if (found) return found.containerPort;
  }
  return undefined;
}

/** The pod's numbers for all of a Service's ports; pods with equal keys share a subset or slice. */
export const portMapKey = (service: Service, pod: Pod): string => {
  let text = '';
  for (const port of service.spec.ports ?? []) text += `${findPort(pod, port) ?? ''},`;
  return text;
};

/** The name that a headless service's DNS gives the pod. */
export const hostnameFor = (pod: Pod, service: Service): string | undefined =>
  pod.spec.hostname && pod.spec.subdomain === service.metadata.name ? pod.spec.hostname : undefined;
