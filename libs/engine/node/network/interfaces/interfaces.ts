import { macOf } from '../../cni/fabric/fabric.js';
import type { Node, Pod } from '../../../api/core_v1.js';
import type { VirtualServers } from '../../../kernel/netfilter/index.js';
import type { NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { gatewayOf, HOST_GATEWAY, vethOf } from './routes.js';

const LOOPBACK: NetworkInterface = {
  name: 'lo',
  index: 1,
  addresses: ['127.0.0.1/8', '::1/128'],
  mac: '00:00:00:00:00:00',
  mtu: 65_536,
  isUp: true,
};

/** The interfaces in a pod's network namespace, as kindnet makes them. */
export function podInterfaces({ status }: Pod): readonly NetworkInterface[] {
  const ip = status.podIP ?? '';
  return [
    LOOPBACK,
    { name: 'eth0', index: 2, addresses: ip ? [`${ip}/24`] : [], mac: macOf(ip, POD_MAC), mtu: 1_500, isUp: true },
  ];
}

/** The routes in a pod's network namespace, as kindnet's ptp plug-in makes them. */
export function podRoutes({ status }: Pod): readonly Route[] {
  const ip = status.podIP ?? '';
  if (!ip) return [];
  const gateway = gatewayOf(ip);
  const network = ip.replace(/\.\d+$/, '.0/24');
  return [
    { destination: 'default', gateway, device: 'eth0' },
    { destination: network, gateway, device: 'eth0', source: ip },
    { destination: gateway, device: 'eth0', source: ip },
  ];
}

/** The interfaces of a node: one to the other nodes, and an end of a pair for each of its pods. */
export function hostInterfaces(node: Node, pods: readonly Pod[]): readonly NetworkInterface[] {
  const ip = internalIPOf(node);
  const gateway = gatewayOf(node.spec?.podCIDR ?? '');
  return [
    LOOPBACK,
    ...pods.map((pod, i) => ({
      name: vethOf(pod),
      index: i + 2,
      addresses: gateway ? [`${gateway}/32`] : [],
      mac: macOf(pod.status.podIP ?? '', HOST_END_MAC),
      mtu: 1_500,
      isUp: true,
    })),
    {
      name: 'eth0',
      index: pods.length + 2,
      addresses: ip ? [`${ip}/16`] : [],
      mac: macOf(ip, NODE_MAC),
      mtu: 1_500,
      isUp: true,
    },
  ];
}

/** The interface that has the addresses which IP Virtual Server balances; it is down, and nothing leaves by it. */
export const dummyInterface = (ipvs: VirtualServers, index: number): NetworkInterface => ({
  ...{
    name: ipvs.device,
    index,
    addresses: ipvs.addresses().map((ip) => `${ip}/${ip.includes(':') ? 128 : 32}`),
    mtu: 1_500,
    isUp: false,
  },
  mac: 'd6:2b:6e:4f:00:01',
});

/** The routes of a node: to its pods by their pairs, to those of others by their nodes. Models kindnetd's routes.go. */
export function hostRoutes(node: Node, pods: readonly Pod[], nodes: readonly Node[]): readonly Route[] {
  const ip = internalIPOf(node);
  const others = nodes.filter((other) => other.metadata.name !== node.metadata.name && other.spec?.podCIDR);
  return [
    { destination: 'default', gateway: HOST_GATEWAY, device: 'eth0' },
    ...others.map((other) => ({
      destination: other.spec?.podCIDR ?? '',
      gateway: internalIPOf(other),
      device: 'eth0',
    })),
    ...pods.map((pod) => ({ destination: pod.status.podIP ?? '', device: vethOf(pod), scope: 'host' as const })),
    { destination: '172.18.0.0/16', device: 'eth0', source: ip },
  ];
}

const POD_MAC = '0a:58';
const HOST_END_MAC = '0e:58';
const NODE_MAC = '02:42';
