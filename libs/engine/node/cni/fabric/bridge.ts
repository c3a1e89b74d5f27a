import type { Pod } from '../../../api/core_v1.js';
import type { NetworkInterface } from '../../../kernel/process/syscalls.js';
import { macOf } from './fabric.js';
import { vethOf } from './names.js';

type Device = Omit<NetworkInterface, 'index'>;

export const LOOPBACK: NetworkInterface = {
  name: 'lo',
  index: 1,
  addresses: ['127.0.0.1/8', '::1/128'],
  mac: '00:00:00:00:00:00',
  mtu: 65_536,
  isUp: true,
};

/** A pod's end of a pair whose other end is a port of a bridge. */
export function bridgePodInterfaces({ status }: Pod, mtu: number, bits = 24): readonly NetworkInterface[] {
  const ip = status.podIP ?? '';
  const addresses = ip ? [`${ip}/${bits}`] : [];
  return [LOOPBACK, { name: 'eth0', index: 2, addresses, mac: macOf(ip, 'ce:7b'), mtu, isUp: true }];
}

export const bridgeInterface = (name: string, address: string, mtu: number): Device => ({
  ...{ name, mtu, isUp: true, kind: 'bridge' },
  addresses: [address],
  mac: macOf(address.slice(0, Math.max(0, address.indexOf('/'))), '6e:2d'),
  detail: 'bridge forward_delay 1500 hello_time 200 max_age 2000 ageing_time 30000 stp_state 0 priority 32768',
});

export const portInterface = (pod: Pod, master: string, mtu: number): Device => ({
  ...{ name: vethOf(pod), master, mtu, isUp: true, addresses: [] },
  mac: macOf(pod.status.podIP ?? '', '0e:58'),
});
