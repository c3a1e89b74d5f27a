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
    // An API server more, or one that is gone: each writes its own address.
    watch<Node>({
      kind: Nodes,
      when: (node, old) => old !== undefined && isControlPlane(node) !== isControlPlane(old),
      keys: () => [KEY],
    }),
  ],
  reconcile({ client }) {
    const addresses = apiServerAddresses(client);
    const clusterIP = firstServiceIP(client);
    if (addresses.length === 0 || clusterIP === undefined) return;
    if (!client.get(Services, KEY)) client.create(Services, apiService(clusterIP));
    const [endpoints, slice] = [client.get(Endpoints, KEY), client.get(EndpointSlices, KEY)];
    const [subsets, made] = [apiEndpoints(addresses).subsets, apiEndpointSlice(addresses).endpoints];
    if (!endpoints) client.create(Endpoints, apiEndpoints(addresses));
    else if (
      isOther(
        endpoints.subsets?.[0]?.addresses?.map(({ ip }) => ip),
        addresses,
      )
    )
      client.update(Endpoints, { ...endpoints, subsets });
    if (!slice) client.create(EndpointSlices, apiEndpointSlice(addresses));
    else if (
      isOther(
        slice.endpoints?.flatMap((one) => one.addresses ?? []),
        addresses,
      )
    )
      client.update(EndpointSlices, { ...slice, endpoints: made });
  },
});

const isControlPlane = ({ metadata }: Node): boolean => metadata.labels?.[CONTROL_PLANE] !== undefined;

/** Whether an API server's address is missing or is that of another node. */
const isOther = (known: readonly string[] = [], addresses: readonly string[]): boolean =>
  known.length !== addresses.length || addresses.some((address) => !known.includes(address));

const apiServerAddresses = (read: Reader): string[] =>
  read
    .list(Nodes)
    .filter(isControlPlane)
    .flatMap((n: Node) => n.status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? []);

/** '10.96.0.0/12' -> '10.96.0.1'. */
function firstServiceIP(read: Reader): string | undefined {
  const cidr = read.get(ServiceCIDRs, { namespace: '', name: 'kubernetes' })?.spec.cidrs?.[0];
  return cidr === undefined ? undefined : addressRange(cidr)?.at(1);
}
