import type { Node, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { EndpointSlices, Nodes, Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf } from '../../machinery/meta/object.js';
import { timestamp } from '../../machinery/time/time.js';
import { defineController, index, watch, type Context } from '../../runtime/controller.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import {
  HEADLESS_LABEL,
  isHeadless,
  getServicePods,
  servicePodsSource,
  selectsPods,
  TRIGGER_TIME,
} from '../service-pods.js';
import { planSlices, desiredGroups, type Slice } from './slices.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
const ZONE = 'topology.kubernetes.io/zone';
const OF_SERVICE = 'service';

/**
 * Keeps each service's EndpointSlices in step with its pods. Models pkg/controller/endpointslice. Left out: topology
 * hints.
 */
export const controller = defineController({
  name: 'endpointslice',
  actor: 'system:serviceaccount:kube-system:endpointslice-controller',
  eventSource: 'endpoint-slice-controller',
  for: Services,
  watches: [
    servicePodsSource,
    watch<EndpointSlice>({
      kind: EndpointSlices,
      *keys(slice) {
        if (slice.metadata.labels?.[MANAGED_BY] === MANAGER)
          yield { namespace: slice.metadata.namespace ?? '', name: slice.metadata.labels[SERVICE_NAME] ?? '' };
      },
    }),
    watch<Node>({
      kind: Nodes,
      when: (node, old) => old !== undefined && old.metadata.labels?.[ZONE] !== node.metadata.labels?.[ZONE],
      keys: (_node, reader) => reader.list(Services).map(keyOf),
    }),
  ],
  indexes: [
    index<EndpointSlice>(EndpointSlices, OF_SERVICE, ({ metadata: { namespace, labels } }) =>
      labels?.[MANAGED_BY] === MANAGER ? [`${namespace}/${labels[SERVICE_NAME]}`] : [],
    ),
  ],
  reconcile(context, key) {
    const { client } = context;
    const service = client.get(Services, key);
    if (!service || service.metadata.deletionTimestamp !== undefined || !selectsPods(service)) return;
    const existing = client.byIndex(EndpointSlices, OF_SERVICE, `${key.namespace}/${key.name}`);
    const pods = getServicePods(client, service).filter((pod) => !isPodTerminal(pod));
    const families = service.spec.ipFamilies?.length ? service.spec.ipFamilies : ['IPv4'];
    for (const slice of existing)
      if (!families.includes(slice.addressType)) client.delete(EndpointSlices, keyOf(slice));
    for (const addressType of families) {
      const groups = desiredGroups(service, pods, addressType, zones(client));
      const own = existing.filter((slice) => slice.addressType === addressType);
      const plan = planSlices(groups, own);
      for (const slice of plan.save) saveSlice(context, service, addressType, slice);
      for (const slice of plan.remove) client.delete(EndpointSlices, keyOf(slice));
      const saved = new Set([...plan.save.map((s) => s.existing), ...plan.remove]);
      for (const slice of own) if (!saved.has(slice)) updateLabels(context, service, slice);
    }
  },
});

const zones =
  (reader: Reader) =>
  (node: string | undefined): string | undefined =>
    node === undefined ? undefined : reader.get(Nodes, { namespace: '', name: node })?.metadata.labels?.[ZONE];

/** The service's own labels, and what finds the slice. */
function labelsFor(service: Service): { [key: string]: string } {
  const { [HEADLESS_LABEL]: _, ...own } = service.metadata.labels ?? {};
  return {
    ...own,
    [MANAGED_BY]: MANAGER,
    [SERVICE_NAME]: service.metadata.name!,
    ...(isHeadless(service) ? { [HEADLESS_LABEL]: '' } : {}),
  };
}

function saveSlice(
  { client, now }: Context,
  service: Service,
  addressType: string,
  { existing, endpoints, ports }: Slice,
): void {
  const metadata = { labels: labelsFor(service), annotations: { [TRIGGER_TIME]: timestamp(now) } };
  const content = { endpoints, ...(ports ? { ports } : {}) };
  if (existing) {
    const { ports: _, ...rest } = existing;
    client.update(EndpointSlices, { ...rest, metadata: { ...existing.metadata, ...metadata }, ...content });
    return;
  }
  client.create(EndpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${service.metadata.name}-`,
      namespace: service.metadata.namespace,
      ...metadata,
      ownerReferences: [newControllerRef(Services, service)],
    },
    addressType,
    ...content,
  });
}

/** The service's labels changed, its endpoints did not. */
function updateLabels({ client }: Context, service: Service, slice: EndpointSlice): void {
  const labels = labelsFor(service);
  if (!deepEqual(labels, slice.metadata.labels))
    client.update(EndpointSlices, { ...slice, metadata: { ...slice.metadata, labels } });
}
