import type { APIService, APIServiceCondition } from '../../api/apiregistration_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { APIServices, EndpointSlices, Services } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { timestamp } from '../../machinery/time/time.js';
import { defineController, watch } from '../../runtime/controller.js';
import { findServicePort } from '../../runtime/state/backends.js';

const SERVICE_NAME = 'kubernetes.io/service-name';
const HTTPS_PORT = 443;

type Verdict = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/**
 * Says of each APIService whether the Service that it names can serve it. Models
 * kube-aggregator/pkg/controllers/status/remote. Left out: the question to the Service itself.
 */
export const controller = defineController({
  name: 'apiservice',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: { kind: APIServices, when: ({ spec }) => spec.service !== undefined },
  watches: [
    watch({ kind: Services, keys: ({ metadata }, reader) => keysOf(reader, metadata.namespace, metadata.name) }),
    watch<EndpointSlice>({
      kind: EndpointSlices,
      keys: ({ metadata }, reader) => keysOf(reader, metadata.namespace, metadata.labels?.[SERVICE_NAME]),
    }),
  ],
  reconcile({ client, now }, key) {
    const service = client.get(APIServices, key);
    if (!service?.spec.service) return;
    const verdict = judge(client, service);
    const known = service.status.conditions?.find(({ type }) => type === 'Available');
    if (known?.reason === verdict.reason && known?.message === verdict.message) return;
    const since = known?.status === verdict.status ? known?.lastTransitionTime : timestamp(now);
    const condition = { type: 'Available', ...verdict, lastTransitionTime: since } as APIServiceCondition;
    const others = service.status.conditions?.filter(({ type }) => type !== 'Available') ?? [];
    client.updateStatus(APIServices, { ...service, status: { ...service.status, conditions: [...others, condition] } });
  },
});

const keysOf = (reader: Reader, namespace = '', name = '') =>
  reader
    .list(APIServices)
    .filter(({ spec: { service } }) => service?.name === name && service.namespace === namespace)
    .map(({ metadata }) => ({ namespace: '', name: metadata.name ?? '' }));

function judge(read: Reader, { spec: { service = {} } }: APIService): Verdict {
  const { namespace = '', name = '', port = HTTPS_PORT } = service;
  const named = `service/${name} in ${JSON.stringify(namespace)}`;
  const found = read.get(Services, { namespace, name });
  if (!found) return no('ServiceNotFound', `${named} is not present`);
  const servicePort = findServicePort(found, port);
  if (!servicePort) return no('ServicePortError', `${named} is not listening on port ${port}`);
  if (found.spec.type === 'ExternalName') return yes;
  const slices = read.list(EndpointSlices, namespace).filter((one) => one.metadata.labels?.[SERVICE_NAME] === name);
  if (slices.length === 0) return no('EndpointsNotFound', `cannot find endpointslices for ${named}`);
  const isServed = slices.some(
    ({ ports = [], endpoints = [] }) =>
      ports.some((one) => (one.name ?? '') === (servicePort.name ?? '')) &&
      endpoints.some(({ conditions }) => conditions?.ready !== false),
  );
  const portName = JSON.stringify(servicePort.name ?? '');
  return isServed ? yes : no('MissingEndpoints', `endpoints for ${named} have no addresses with port name ${portName}`);
}

const yes: Verdict = { status: 'True', reason: 'Passed', message: 'all checks passed' };
const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });
