import { toolImage } from '../../programs/server.js';
import { alpine, withAlpinePackages } from '../bases.js';

/** Alpine with tools for the network. */
export const image = toolImage({
  names: ['nicolaka/netshoot', 'praqma/network-multitool', 'wbitt/network-multitool'],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [3.6, 180.2],
  config: { cmd: ['bash'] },
  files: withAlpinePackages(
    alpine(),
    'bash',
    'bind',
    ...['busybox-extras', 'conntrack-tools', 'curl', 'iperf3', 'iproute2', 'iputils', 'mtr', 'nmap', 'socat'],
    ...['tcpdump', 'tcptraceroute', 'vim'],
    ...['iptables', 'ipset', 'ipvsadm', 'nftables'],
    'jq',
    'netcat-openbsd',
    'openssl',
  ),
});
