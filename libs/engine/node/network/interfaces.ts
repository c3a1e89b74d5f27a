import type { Pod } from '../../api/core_v1.js';
import type { NetworkInterface, Route } from '../../kernel/process/syscalls.js';

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
    { name: 'eth0', index: 2, addresses: ip ? [`${ip}/24`] : [], mac: macOf(ip), mtu: 1_500, isUp: true },
  ];
}

/** The routes in a pod's network namespace, as kindnet's ptp plug-in makes them. */
export function podRoutes({ status }: Pod): readonly Route[] {
  const ip = status.podIP ?? '';
  if (!ip) return [];
  const gateway = ip.replace(/\.\d+$/, '.1');
  const network = ip.replace(/\.\d+$/, '.0/24');
  return [
    { destination: 'default', gateway, device: 'eth0' },
    { destination: network, gateway, device: 'eth0', source: ip },
    { destination: gateway, device: 'eth0', source: ip },
  ];
}

/** Local, and the address in it, as plug-ins choose it. */
const macOf = (ip: string): string =>
  ['0a', '58', ...ip.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');
