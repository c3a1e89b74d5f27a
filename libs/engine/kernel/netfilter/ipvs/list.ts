import type { VirtualServer, VirtualServers } from './virtual-server.js';

export interface IpvsListOptions {
  /** --stats and --rate have columns of their own. */
  readonly columns: 'connections' | 'stats' | 'rate';
}

const HEAD = 'IP Virtual Server version 1.2.1 (size=4096)\n';
const COLUMNS = {
  connections:
    'Prot LocalAddress:Port Scheduler Flags\n  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn\n',
  stats: titleOf('Conns', 'InPkts', 'OutPkts', 'InBytes', 'OutBytes'),
  rate: titleOf('CPS', 'InPPS', 'OutPPS', 'InBPS', 'OutBPS'),
};

function titleOf(...names: readonly string[]): string {
  const columns = names.map((name) => ` ${name.padStart(8)}`).join('');
  return `${'Prot LocalAddress:Port'.padEnd(33)}${columns}\n  -> RemoteAddress:Port\n`;
}

/** What `ipvsadm -Ln` prints. Models ipvsadm's print_service_entry. Left out: counters, which are 0. */
export function listVirtualServers(
  virtual: VirtualServers | undefined,
  { columns }: IpvsListOptions,
  isWanted: (one: VirtualServer) => boolean = () => true,
): string {
  const lines = (virtual?.all() ?? []).filter(isWanted).flatMap((one) => listOne(one, columns));
  return `${HEAD}${COLUMNS[columns]}${lines.map((line) => `${line}\n`).join('')}`;
}

function listOne(virtual: VirtualServer, columns: IpvsListOptions['columns']): string[] {
  const { protocol, address, port, scheduler, flags, persistence, servers } = virtual;
  const name = `${protocol.toUpperCase().padEnd(4)} ${endOf(address, port)}`;
  if (columns !== 'connections')
    return [
      `${name.padEnd(33)}${ZEROS}`,
      ...servers.map((one) => `${`  -> ${endOf(one.address, one.port)}`.padEnd(33)}${ZEROS}`),
    ];
  const kept = persistence === undefined ? '' : ` persistent ${persistence}`;
  return [
    `${name} ${scheduler}${flags === undefined ? '' : ` (${flags})`}${kept}`,
    ...servers.map((one) => {
      const [at, weight] = [`${endOf(one.address, one.port)}`, String(one.weight)];
      return `  -> ${at.padEnd(28)} Masq    ${weight.padEnd(6)} ${'0'.padEnd(10)} ${'0'.padEnd(10)}`;
    }),
  ];
}

const endOf = (address: string, port: number): string =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;

const ZEROS = '        0'.repeat(5);

/** What `ipvsadm -Sn` prints: the options of as many calls of ipvsadm. */
export const saveVirtualServers = (virtual: VirtualServers | undefined): string =>
  (virtual?.all() ?? []).map(saveOne).join('');

const LETTERS: Readonly<Record<string, string>> = { tcp: '-t', udp: '-u', sctp: '--sctp-service' };

function saveOne({ protocol, address, port, scheduler, flags, persistence, servers }: VirtualServer): string {
  const which = `${LETTERS[protocol] ?? '-t'} ${endOf(address, port)}`;
  const more = `${flags === undefined ? '' : ` -b ${flags}`}${persistence === undefined ? '' : ` -p ${persistence}`}`;
  return [
    `-A ${which} -s ${scheduler}${more}\n`,
    ...servers.map((one) => `-a ${which} -r ${endOf(one.address, one.port)} -m -w ${one.weight}\n`),
  ].join('');
}
