/** Worlds with Cilium's agents for the specs. */
import type { Pod } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { State } from '../../../runtime/state/state.js';
import { CiliumClusterwideNetworkPolicies, CiliumNetworkPolicies, CiliumNodes } from '../../cni/cilium/objects.js';
import { stateOf } from '../../cri/testing.js';
import { agentOn, namespace, nodeAt } from '../testing.js';

export const AGENT = 'quay.io/cilium/cilium:v1.18.4';

/** A node whose agent gives its pods addresses of 10.0.N.0/24. */
const registered = (name: string, n: number, ip: string): KubeObject =>
  ({
    ...{ apiVersion: 'cilium.io/v2', kind: 'CiliumNode', metadata: { name } },
    spec: {
      addresses: [
        { type: 'InternalIP', ip },
        { type: 'CiliumInternalIP', ip: `10.0.${n}.200` },
      ],
      health: { ipv4: `10.0.${n}.201` },
      ipam: { podCIDRs: [`10.0.${n}.0/24`] },
    },
  }) as KubeObject;

/** By its key: 'shop/web' is a CiliumNetworkPolicy, 'web' one of the cluster. */
export const ciliumPolicy = (key: string, spec: object): KubeObject => {
  const [first = '', name] = key.split('/');
  return {
    apiVersion: 'cilium.io/v2',
    kind: name === undefined ? 'CiliumClusterwideNetworkPolicy' : 'CiliumNetworkPolicy',
    metadata: name === undefined ? { name: first } : { namespace: first, name },
    ...{ spec },
  } as KubeObject;
};

/** Three nodes, agents on the workers, the namespaces shop (kind: good) and evil, and these objects. */
export function ciliumWorld(pods: readonly Pod[], policies: readonly KubeObject[], config = {}): State {
  const own = (one: KubeObject): boolean => one.apiVersion === 'cilium.io/v2';
  const world = stateOf(
    nodeAt('control-plane', '172.18.0.2', { 'node-role.kubernetes.io/control-plane': '' }),
    ...[nodeAt('worker-1', '172.18.0.3'), nodeAt('worker-2', '172.18.0.4')],
    ...[agentOn('worker-1', AGENT), agentOn('worker-2', AGENT)],
    ...[namespace('shop', { kind: 'good' }), namespace('evil')],
    {
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'kube-system', name: 'cilium-config' } },
      data: config,
    } as KubeObject,
    ...pods,
    ...policies.filter((one) => !own(one)),
  );
  const put = (resource: object, object: KubeObject): unknown =>
    world.put(world.resourceOf(resource as never), object, 'test', 0);
  put(CiliumNodes, registered('control-plane', 0, '172.18.0.2'));
  put(CiliumNodes, registered('worker-1', 1, '172.18.0.3'));
  put(CiliumNodes, registered('worker-2', 2, '172.18.0.4'));
  for (const one of policies.filter(own))
    put(one.kind === 'CiliumNetworkPolicy' ? CiliumNetworkPolicies : CiliumClusterwideNetworkPolicies, one);
  return world;
}
