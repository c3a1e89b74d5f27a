import type { Program } from '../../../engine/kernel/process/program.js';
import type { Tool } from '../framework/tool.js';
import { dig, getent, host, nslookup, oldNslookup } from '../dns/index.js';
import { curl } from './curl/curl.js';
import { bridge } from './interfaces/bridge.js';
import { arp, ifconfig, ip, route } from './interfaces/ip.js';
import { nc, ncat } from './clients/nc.js';
import { ping } from './clients/ping.js';
import { netstat, ss } from './interfaces/sockets.js';
import { tcpdump } from './tcpdump/tcpdump.js';
import { telnet } from './clients/telnet.js';
import { traceroute } from './clients/traceroute.js';
import { wget } from './wget/wget.js';

const PACKAGES: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  curl: { curl },
  wget: { wget },
  netcat: { nc },
  nmap: { ncat },
  iputils: { ping },
  inetutils: { ping, telnet },
  bind: { dig, host, nslookup },
  libc: { getent },
  iproute2: { bridge, ip, ss },
  tcpdump: { tcpdump },
  traceroute: { traceroute },
  'net-tools': { arp, ifconfig, netstat, route },
};
const APPLETS: Readonly<Record<string, Tool>> = {
  arp,
  getent,
  ifconfig,
  ip,
  nc,
  netstat,
  nslookup,
  ping,
  ping6: ping,
  route,
  telnet,
  traceroute,
  wget,
};

/** Clients and what shows the network: by package and name, and as busybox' applets. */
export const programs: Readonly<Record<string, Program>> = {
  ...Object.fromEntries(
    Object.entries(PACKAGES).flatMap(([name, tools]) =>
      Object.entries(tools).map(([tool, program]): [string, Program] => [`${name}:${tool}`, program]),
    ),
  ),
  ...Object.fromEntries(Object.entries(APPLETS).map(([name, tool]) => [`busybox:${name}`, tool.as('busybox')])),
  // What Kubernetes' lessons use most is an old busybox.
  'busybox-1.28:nslookup': oldNslookup.as('busybox'),
};
