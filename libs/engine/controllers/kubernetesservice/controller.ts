import type { Endpoints as EndpointsObject, Node, Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { Endpoints, EndpointSlices, Nodes, ServiceCIDRs, Services } from '../../kinds/index.js';
import { addressRange } from '../../kinds/core/service/address-range.js';
import type { Reader } from '../../machinery/client.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { defineController, watch } from '../../runtime/controller.js';
import { apiEndpoints, apiEndpointSlice, apiService, KEY } from './objects.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const isOwn = ({ metadata }: KubeObject): boolean => metadata.name === KEY.name && metadata.namespace === KEY.namespace;

/**
 * Makes the Service `kubernetes` and its endpoints again when they are deleted. Models kube-apiserver's
 * pkg/controlplane/controller/kubernetesservice. Left out: its period of ten seconds, and undoing changes of them.
 */
export const controller = defineController<Service>({
  name: 'kubernetesservice',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: { kind: Services, when: isOwn },
  watches: [
    watch<EndpointsObject>({ kind: Endpoints, when: isOwn }),
    watch<EndpointSlice>({ kind: EndpointSlices, when: isOwn }),
  ],
  reconcile({ client }) {
    const addresses = apiServerAddresses(client);
    const clusterIP = firstServiceIP(client);
    if (addresses.length === 0 || clusterIP === undefined) return;
    if (!client.get(Services, KEY)) client.create(Services, apiService(clusterIP));
    if (!client.get(Endpoints, KEY)) client.create(Endpoints, apiEndpoints(addresses));
    if (!client.get(EndpointSlices, KEY)) client.create(EndpointSlices, apiEndpointSlice(addresses));
  },
});

const apiServerAddresses = (read: Reader): string[] =>
  read
    .list(Nodes)
    .filter((n) => n.metadata.labels?.[CONTROL_PLANE] !== undefined)
    .flatMap((n: Node) => n.status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? []);

/** '10.96.0.0/12' -> '10.96.0.1'. */
function firstServiceIP(read: Reader): string | undefined {
  const cidr = read.get(ServiceCIDRs, { namespace: '', name: 'kubernetes' })?.spec.cidrs?.[0];
  return cidr === undefined ? undefined : addressRange(cidr)?.at(1);
}
