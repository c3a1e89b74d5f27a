import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { NetworkInterface, Route, Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseOptions } from '../../framework/options.js';
import { defineTool, type ToolContext, ToolFailure } from '../../framework/tool.js';
import { flagsOf, linkOf, shownName, stateOf } from './links.js';
import { enterNamed, runNetns } from './netns.js';
import { formatRoutes, maskOf } from './route.js';

const USAGE = [
  'Usage: ip [ OPTIONS ] OBJECT { COMMAND | help }',
  '       ip [ -force ] -batch filename',
  'where  OBJECT := { address | addrlabel | link | maddress | monitor | mroute | neigh | netns | route | rule | tunnel }',
  '       OPTIONS := { -V[ersion] | -s[tatistics] | -d[etails] | -h[uman-readable] | -4 | -6 | -br[ief] | -j[son] }',
  '',
].join('\n');
const OBJECTS = ['address', 'link', 'route', 'neighbour', 'neighbor', 'rule', 'netns'];
const VERBS = ['show', 'list', 'lst', 'add', 'del', 'delete', 'set', 'change', 'replace', 'get', 'flush', 'append'];

interface Choice {
  readonly family: '4' | '6' | '';
  readonly isBrief: boolean;
  readonly isOneLine: boolean;
  readonly hasDetails: boolean;
}

export const ip = defineTool((tool) => {
  const words = [...tool.args];
  const choice = { family: '' as Choice['family'], isBrief: false, isOneLine: false, hasDetails: false };
  while (words[0]?.startsWith('-') === true) {
    const option = words.shift()!.replace(/^--?/, '');
    if (option === '4' || option === '6') choice.family = option;
    else if ('brief'.startsWith(option) && option.length > 1) choice.isBrief = true;
    else if ('oneline'.startsWith(option)) choice.isOneLine = true;
    else if ('details'.startsWith(option)) choice.hasDetails = true;
    else if ('Version'.startsWith(option)) {
      tool.out('ip utility, iproute2-6.1.0, libbpf 1.1.0\n');
      return 0;
    } else if ('netns'.startsWith(option)) enterNamed(tool.sys, words.shift() ?? '');
    else if (!/^(?:c|color|s|stats|statistics|h|human|r|resolve|f|family|N)/.test(option)) {
      tool.err(`Option "-${option}" is unknown, try "ip -help".\n`);
      return 255;
    }
  }
  const [object, ...rest] = words;
  if (object === undefined || object === 'help') {
    tool.err(USAGE);
    return 255;
  }
  const found = OBJECTS.find((name) => name.startsWith(object));
  if (found === undefined) {
    tool.err(`Object "${object}" is unknown, try "ip help".\n`);
    return tool.flavour === 'gnu' ? 1 : 255;
  }
  if (found === 'netns' && tool.flavour === 'gnu') return runNetns(tool, rest);
  const verb = rest[0] === undefined ? 'show' : VERBS.find((name) => name.startsWith(rest[0]!));
  if (verb === undefined) {
    tool.err(`Command "${rest[0]}" is unknown, try "ip ${found} help".\n`);
    return 255;
  }
  if (!['show', 'list', 'lst', 'get'].includes(verb)) {
    tool.err(
      tool.flavour === 'gnu'
        ? 'RTNETLINK answers: Operation not permitted\n'
        : 'ip: RTNETLINK answers: Operation not permitted\n',
    );
    return 2;
  }
  return showObject(tool, found, verb, rest.slice(1), choice);
});

function showObject(tool: ToolContext, object: string, verb: string, args: readonly Bytes[], choice: Choice): number {
  const { sys } = tool;
  if (object === 'address' || object === 'link') return showInterfaces(tool, object, args, choice);
  if (object === 'route') {
    if (choice.family === '6' || (verb === 'get' && args[0]?.includes(':') === true))
      return showRoutes6(tool, verb, args);
    if (verb !== 'get') {
      tool.out(sys.routes().map(routeLine).join(''));
      return 0;
    }
    const route = sys.routes().find(({ destination }) => destination === 'default') ?? sys.routes()[0];
    if (route === undefined || args[0] === undefined) {
      tool.err('RTNETLINK answers: Network is unreachable\n');
      return 2;
    }
    const source = sys
      .interfaces()
      .find(({ name }) => name === route.device)
      ?.addresses[0]?.replace(/\/.*/, '');
    const via = route.gateway === undefined ? '' : `via ${route.gateway} `;
    tool.out(`${args[0]} ${via}dev ${route.device} src ${source} uid ${sys.user} \n    cache \n`);
    return 0;
  }
  if (object === 'rule') {
    tool.out('0:\tfrom all lookup local\n32766:\tfrom all lookup main\n32767:\tfrom all lookup default\n');
    return 0;
  }
  const device = args.filter((word) => word !== 'dev')[0];
  const isAsked = (name: string): boolean => device === undefined || device === name;
  for (const one of sys.neighbours())
    if (isAsked(one.device)) tool.out(`${one.address} dev ${one.device} lladdr ${one.mac} PERMANENT \n`);
  const gateway = sys.routes().find((route) => route.gateway !== undefined && isAsked(route.device));
  if (gateway !== undefined && sys.neighbours().every(({ device: own }) => own !== gateway.device))
    tool.out(`${gateway.gateway} dev ${gateway.device} lladdr 0a:58:0a:f4:00:01 REACHABLE \n`);
  return 0;
}

/** As the kernel prints routes of IPv6. */
function showRoutes6(tool: ToolContext, verb: string, args: readonly Bytes[]): number {
  const routes = tool.sys.routes('6');
  if (verb !== 'get') {
    tool.out(routes.map(routeLine6).join(''));
    return 0;
  }
  const route = routes.find(({ destination }) => destination === 'default');
  if (route === undefined || args[0] === undefined) {
    tool.err('RTNETLINK answers: Network is unreachable\n');
    return 2;
  }
  const source = tool.sys
    .interfaces()
    .find(({ name }) => name === route.device)
    ?.addresses.find((address) => address.includes(':'))
    ?.replace(/\/.*/, '');
  tool.out(
    `${args[0]} from :: via ${route.gateway ?? ''} dev ${route.device} src ${source ?? ''} metric 1024 pref medium\n`,
  );
  return 0;
}

function routeLine6({ destination, gateway, device }: Route): Bytes {
  const via = gateway === undefined ? '' : `via ${gateway} `;
  const isLink = gateway === undefined && destination.includes('/');
  return `${destination} ${via}dev ${device} ${isLink ? 'proto kernel metric 256' : 'metric 1024'} pref medium\n`;
}

function routeLine({ destination, gateway, device, source, scope: given, type, flags = [] }: Route): Bytes {
  const more = flags.map((flag) => `${flag} `).join('');
  if (type === 'blackhole') return `blackhole ${destination} ${more}\n`;
  const via = gateway === undefined ? '' : `via ${gateway} `;
  const isPlain = gateway !== undefined || given !== undefined;
  const scope = isPlain ? (given === undefined ? '' : `scope ${given} `) : 'proto kernel scope link ';
  return `${destination} ${via}dev ${device} ${more}${scope}${source === undefined ? '' : `src ${source} `}\n`;
}

function showInterfaces(tool: ToolContext, object: string, args: readonly Bytes[], choice: Choice): number {
  const name = args.filter((word) => !['dev', 'up', 'scope', 'global'].includes(word))[0];
  const all = tool.sys.interfaces();
  const found = name === undefined ? all : all.filter((one) => one.name === name);
  if (found.length === 0) {
    if (tool.flavour === 'gnu') tool.err(`Device "${name}" does not exist.\n`);
    else tool.err(`ip: can't find device '${name}'\n`);
    return 1;
  }
  for (const one of found)
    tool.out(choice.isBrief ? briefLine(one, object, choice.family) : interfaceLines(tool, one, object, choice));
  return 0;
}

function briefLine(one: NetworkInterface, object: string, family: Choice['family']): Bytes {
  const flags = `<${flagsOf(one)}>`;
  const cells =
    object === 'link'
      ? `${one.mac} ${flags}`
      : one.addresses.filter((address) => isOfFamily(address, family)).join(' ');
  return `${shownName(one).padEnd(16)} ${stateOf(one).padEnd(14)} ${cells} \n`;
}

function interfaceLines(tool: ToolContext, one: NetworkInterface, object: string, choice: Choice): Bytes {
  const master = one.master === undefined ? '' : `master ${one.master} `;
  const start = `${one.index}: ${shownName(one)}: <${flagsOf(one)}> mtu ${one.mtu} `;
  const head = `${start}qdisc noqueue ${master}state ${stateOf(one)} `;
  const group = tool.flavour === 'gnu' ? `${object === 'link' ? 'mode DEFAULT ' : ''}group default ` : '';
  const addresses = object === 'link' ? [] : one.addresses.filter((address) => isOfFamily(address, choice.family));
  const lines = [
    `${head}${group}qlen 1000`,
    ...(choice.family === '' || object === 'link' ? [`    ${linkOf(one, tool.flavour === 'gnu')}`] : []),
    ...(choice.hasDetails && one.detail !== undefined ? [`    ${one.detail}`] : []),
    ...addresses.flatMap((address) => addressLines(one, address)),
  ];
  return `${lines.join(choice.isOneLine ? '\\' : '\n')}\n`;
}

const isOfFamily = (address: string, family: Choice['family']): boolean =>
  family === '' || address.includes(':') === (family === '6');

function addressLines(one: NetworkInterface, address: string): string[] {
  const lifetime = ['       valid_lft forever preferred_lft forever'];
  if (address.includes(':')) {
    const scope = one.name === 'lo' ? 'host noprefixroute' : address.startsWith('fe80:') ? 'link' : 'global';
    return [`    inet6 ${address} scope ${scope} `, ...lifetime];
  }
  if (one.name === 'lo') return [`    inet ${address} scope host lo`, ...lifetime];
  if (one.kind !== undefined && address.endsWith('/32'))
    return [`    inet ${address} scope global ${one.name}`, ...lifetime];
  return [`    inet ${address} brd ${broadcastOf(address)} scope global ${one.name}`, ...lifetime];
}

function broadcastOf(cidr: string): string {
  const [address = '', prefix] = cidr.split('/');
  const mask = maskOf(Number(prefix ?? 32))
    .split('.')
    .map(Number);
  return address
    .split('.')
    .map((part, i) => Number(part) | (255 - mask[i]!))
    .join('.');
}

export const ifconfig = defineTool((tool) => {
  const [name, ...rest] = tool.args.filter((word) => word !== '-a');
  const all = tool.sys.interfaces();
  const found = name === undefined ? all : all.filter((one) => one.name === name);
  if (found.length === 0) {
    if (tool.flavour === 'gnu') tool.err(`${name}: error fetching interface information: Device not found\n`);
    else tool.warn(`${name}: error fetching interface information: Device not found`);
    return 1;
  }
  if (rest.length > 0) throw new ToolFailure('SIOCSIFFLAGS: Operation not permitted');
  const sorted = [...found].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const one of sorted) tool.out(tool.flavour === 'gnu' ? ifconfigLines(one) : busyboxLines(one));
  return 0;
});

/** The addresses of IPv6 that do not loop back: address, prefix length, whether it is of the link. */
const sixthOf = ({ name, addresses }: NetworkInterface): [string, string, boolean][] =>
  name === 'lo'
    ? []
    : addresses
        .filter((address) => address.includes(':'))
        .map((address) => {
          const [own = '', prefix = ''] = address.split('/');
          return [own, prefix, own.startsWith('fe80:')];
        });

function ifconfigLines(one: NetworkInterface): Bytes {
  const isLoopback = one.name === 'lo';
  const flags = isLoopback ? 'flags=73<UP,LOOPBACK,RUNNING>' : 'flags=4163<UP,BROADCAST,RUNNING,MULTICAST>';
  const inet = one.addresses
    .filter((address) => !address.includes(':'))
    .map((address) => {
      const [ipv4 = '', prefix] = address.split('/');
      const broadcast = isLoopback ? '' : `  broadcast ${broadcastOf(address)}`;
      return `        inet ${ipv4}  netmask ${maskOf(Number(prefix))}${broadcast}\n`;
    });
  inet.push(
    ...sixthOf(one).map(([address, prefix, isLink]) => {
      const scope = isLink ? '0x20<link>' : '0x0<global>';
      return `        inet6 ${address}  prefixlen ${prefix}  scopeid ${scope}\n`;
    }),
  );
  const link = isLoopback
    ? '        loop  txqueuelen 1000  (Local Loopback)\n'
    : `        ether ${one.mac}  txqueuelen 1000  (Ethernet)\n`;
  const counts = ['RX', 'TX'].map((way) => {
    const rest = way === 'RX' ? 'frame 0' : 'overruns 0  carrier 0  collisions 0';
    const errors = way === 'RX' ? 'errors 0  dropped 0  overruns 0  ' : 'errors 0  dropped 0 ';
    return `        ${way} packets 0  bytes 0 (0.0 B)\n        ${way} ${errors}${rest}\n`;
  });
  return `${one.name}: ${flags}  mtu ${one.mtu}\n${inet.join('')}${link}${counts.join('')}\n`;
}

function busyboxLines(one: NetworkInterface): Bytes {
  const isLoopback = one.name === 'lo';
  const pad = ' '.repeat(10);
  const kind = isLoopback ? 'Link encap:Local Loopback  ' : `Link encap:Ethernet  HWaddr ${one.mac.toUpperCase()}  `;
  const inet = one.addresses
    .filter((address) => !address.includes(':'))
    .map((address) => {
      const [ipv4 = '', prefix] = address.split('/');
      const broadcast = isLoopback ? '' : `  Bcast:${broadcastOf(address)}`;
      return `${pad}inet addr:${ipv4}${broadcast}  Mask:${maskOf(Number(prefix))}\n`;
    });
  inet.push(
    ...sixthOf(one).map(
      ([address, prefix, isLink]) => `${pad}inet6 addr: ${address}/${prefix} Scope:${isLink ? 'Link' : 'Global'}\n`,
    ),
  );
  const flags = isLoopback ? 'UP LOOPBACK RUNNING' : 'UP BROADCAST RUNNING MULTICAST';
  return (
    `${one.name.padEnd(10)}${kind}\n${inet.join('')}${pad}${flags}  MTU:${one.mtu}  Metric:1\n` +
    `${pad}RX packets:0 errors:0 dropped:0 overruns:0 frame:0\n${pad}TX packets:0 errors:0 dropped:0 overruns:0 carrier:0\n` +
    `${pad}collisions:0 txqueuelen:1000 \n${pad}RX bytes:0 (0.0 B)  TX bytes:0 (0.0 B)\n\n`
  );
}

export const route = defineTool((tool) => {
  const options = parseOptions(tool, ['n,numeric', 'e,extend', 'A:', '4', '6']);
  if (options.operands.length > 0) throw new ToolFailure('SIOCADDRT: Operation not permitted', 7);
  tool.out(formatRoutes(tool.sys, 'route'));
  return 0;
});

/** The neighbour that every packet to elsewhere goes to. */
export const arp = defineTool((tool) => {
  const gateway = gatewayOf(tool.sys);
  if (gateway === undefined) return 0;
  const [address, device] = gateway;
  if (tool.args.includes('-n') && !tool.args.includes('-a')) {
    tool.out('Address                  HWtype  HWaddress           Flags Mask            Iface\n');
    tool.out(`${address.padEnd(24)} ether   0a:58:0a:f4:00:01   C                     ${device}\n`);
  } else tool.out(`? (${address}) at 0a:58:0a:f4:00:01 [ether]  on ${device}\n`);
  return 0;
});

function gatewayOf(sys: Syscalls): readonly [string, string] | undefined {
  const found = sys.routes().find(({ gateway }) => gateway !== undefined);
  return found?.gateway === undefined ? undefined : [found.gateway, found.device];
}
