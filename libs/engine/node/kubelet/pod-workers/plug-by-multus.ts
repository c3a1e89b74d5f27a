import type { Node } from '../../../api/core_v1.js';
import type { NodeNetwork } from '../../../kinds/terrarium/noderuntime/kind.js';
import { podInterfacesOf } from '../../cni/fabric/views.js';
import type { GivenAddress } from '../../cni/give-address.js';
import { plugNetworks } from '../../cni/multus/plug-networks.js';
import { podInterfaces, podRoutes } from '../../network/interfaces/interfaces.js';
import type { PodSync } from './pod-sync.js';

/** After a pod's first interface is there, Multus makes the others; its events are its own. */
export function plugByMultus(sync: PodSync, node: Node, network: NodeNetwork, ip: string): GivenAddress {
  const { multus } = network;
  if (!multus) return { ip };
  const { context } = sync;
  const read = context.client;
  const pod = { ...sync.pod, status: { ...sync.pod.status, podIP: ip } };
  const own = (podInterfacesOf(read, pod) ?? podInterfaces(pod)).find(({ name }) => name !== 'lo');
  const gateway = podRoutes(pod)[0]?.gateway;
  const made = plugNetworks({
    ...{ read, pod, node, network: { ...network, multus } },
    first: {
      addresses: own?.addresses ?? [],
      ...{ mac: own?.mac ?? '', mtu: own?.mtu ?? 1_500, plugin: network.plugin ?? 'ptp' },
      ...(gateway === undefined ? {} : { gateway }),
    },
  });
  for (const { type, reason, message } of made.events)
    context.event(sync.pod, type, reason, message, { source: { component: 'multus' } });
  if ('failure' in made) return { failure: made.failure };
  sync.plugged = made;
  return { ip };
}
