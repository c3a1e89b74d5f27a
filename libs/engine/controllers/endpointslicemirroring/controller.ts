import type { Endpoints as EndpointsObject } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { Endpoints, EndpointSlices, Services } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { keyOf } from '../../machinery/meta/object.js';
import { timestamp } from '../../machinery/time/time.js';
import { defineController, index, watch, type Context } from '../../runtime/controller.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { selectsPods, TRIGGER_TIME } from '../service-pods.js';
import { idOf, mirrorSubsets, type Mirrored } from './mirror.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslicemirroring-controller.k8s.io';
const SKIP = 'endpointslice.kubernetes.io/skip-mirror';
/** An object that elects a leader is no list of addresses. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const OF_ENDPOINTS = 'mirrors';

/**
 * Keeps EndpointSlices that say what users' own Endpoints say, for Services that select no pods. Models
 * pkg/controller/endpointslicemirroring.
 */
export const controller = defineController({
  name: 'endpointslicemirroring',
  actor: 'system:serviceaccount:kube-system:endpointslicemirroring-controller',
  eventSource: 'endpoint-slice-mirroring-controller',
  for: Endpoints,
  watches: [
    watch({ kind: Services }),
    watch<EndpointSlice>({
      kind: EndpointSlices,
      *keys({ metadata: { namespace = '', labels } }) {
        if (labels?.[MANAGED_BY] === MANAGER) yield { namespace, name: labels[SERVICE_NAME] ?? '' };
      },
    }),
  ],
  indexes: [
    index<EndpointSlice>(EndpointSlices, OF_ENDPOINTS, ({ metadata: { namespace, labels } }) =>
      labels?.[MANAGED_BY] === MANAGER ? [`${namespace}/${labels[SERVICE_NAME]}`] : [],
    ),
  ],
  reconcile(context, key) {
    const { client } = context;
    const endpoints = client.get(Endpoints, key);
    const service = client.get(Services, key);
    const existing = client.byIndex(EndpointSlices, OF_ENDPOINTS, `${key.namespace}/${key.name}`);
    const isMirrored = endpoints && service && isForMirroring(endpoints) && !selectsPods(service);
    const wanted = isMirrored ? mirrorSubsets(endpoints) : [];
    const left = new Map(existing.map((slice) => [idOf(slice), slice]));
    for (const slice of wanted) {
      const id = idOf(slice);
      if (endpoints) saveSlice(context, endpoints, slice, left.get(id));
      left.delete(id);
    }
    for (const slice of left.values()) client.delete(EndpointSlices, keyOf(slice));
  },
});

const isForMirroring = ({ metadata }: EndpointsObject): boolean =>
  metadata.deletionTimestamp === undefined &&
  metadata.labels?.[SKIP] !== 'true' &&
  metadata.annotations?.[LEADER] === undefined;

function saveSlice(
  { client, now }: Context,
  endpoints: EndpointsObject,
  content: Mirrored,
  existing: EndpointSlice | undefined,
): void {
  const { name = '', namespace = '' } = endpoints.metadata;
  const { [TRIGGER_TIME]: _time, [LAST_APPLIED]: _applied, ...own } = endpoints.metadata.annotations ?? {};
  const labels = { ...endpoints.metadata.labels, [SERVICE_NAME]: name, [MANAGED_BY]: MANAGER };
  const { [TRIGGER_TIME]: _before, ...before } = existing?.metadata.annotations ?? {};
  const isSame =
    existing &&
    deepEqual(existing.endpoints ?? [], content.endpoints) &&
    deepEqual(existing.metadata.labels, labels) &&
    deepEqual(before, own);
  if (isSame) return;
  const annotations = { ...own, [TRIGGER_TIME]: timestamp(now) };
  if (existing) {
    client.update(EndpointSlices, { ...existing, ...content, metadata: { ...existing.metadata, labels, annotations } });
    return;
  }
  client.create(EndpointSlices, {
    ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...content },
    metadata: {
      ...{ generateName: `${name}-`, namespace, labels, annotations },
      ownerReferences: [newControllerRef(Endpoints, endpoints)],
    },
  });
}
