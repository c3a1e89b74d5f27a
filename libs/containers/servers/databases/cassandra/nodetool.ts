import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { Program } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { defineTool } from '../../../tools/framework/tool.js';
import { lookUp } from '../../lookup.js';

const MAX_NODES = 100;

/** The same for the same address: nodes agree about each other. */
function numberOf(address: string, salt: number): number {
  let hash = salt;
  for (const c of address) hash = (hash * 33 + c.charCodeAt(0)) % 4_294_967_291;
  return hash;
}

const hexOf = (address: string, salt: number, digits: number): string =>
  numberOf(address, salt).toString(16).padStart(digits, '0').slice(-digits);

const hostIdOf = (address: string): string =>
  `${hexOf(address, 5, 8)}-${hexOf(address, 7, 4)}-4${hexOf(address, 11, 3)}-9${hexOf(address, 13, 3)}-${hexOf(address, 17, 8)}${hexOf(address, 19, 4)}`;

/** The ring: the ready nodes behind the seeds' headless Service, and this one. */
function nodesOf(sys: Syscalls): string[] {
  const addresses = sys.interfaces().flatMap((one) => (one.name === 'lo' ? [] : one.addresses));
  const own = addresses.filter((one) => !one.includes(':')).map((one) => one.split('/')[0]!);
  const seed = (sys.env['CASSANDRA_SEEDS'] ?? '').split(',', 1)[0]!;
  const service = seed.includes('.') ? seed.slice(seed.indexOf('.') + 1) : seed;
  const others = service === '' ? [] : lookUp(sys, bytesOf(service), '4').addresses;
  return [...new Set([...own.slice(0, 1), ...others])].sort().slice(0, MAX_NODES);
}

function status(sys: Syscalls): string {
  const nodes = nodesOf(sys);
  const width = Math.max(...nodes.map((node) => node.length), 'Address'.length) + 2;
  const owns = `${Math.min(100, 200 / nodes.length).toFixed(1)}%`;
  const center = sys.env['CASSANDRA_DC'] ?? 'datacenter1';
  const row = (state: string, cells: readonly string[]): string => {
    const [address = '', load = '', tokens = '', share = '', id = '', rack = ''] = cells;
    return `${state}  ${address.padEnd(width)}${load.padEnd(11)}${tokens.padEnd(13)}${share.padEnd(18)}${id.padEnd(38)}${rack}\n`;
  };
  return [
    `Datacenter: ${center}\n${'='.repeat(`Datacenter: ${center}`.length)}\n`,
    'Status=Up/Down\n|/ State=Normal/Leaving/Joining/Moving\n',
    row('--', ['Address', 'Load', 'Tokens', 'Owns (effective)', 'Host ID', 'Rack']),
    ...nodes.map((node) => {
      const load = `${(65 + (numberOf(node, 23) % 4_000) / 100).toFixed(2)} KiB`;
      return row('UN', [node, load, '32', owns, hostIdOf(node), sys.env['CASSANDRA_RACK'] ?? 'rack1']);
    }),
    '\n',
  ].join('');
}

/** Cassandra's nodetool: status and drain. Left out: every other command, and nodes that are down. */
const nodetool = defineTool((tool) => {
  const [command] = tool.args.filter((word) => !word.startsWith('-'));
  if (command === 'status') tool.out(status(tool.sys));
  else if (command === 'version') tool.out('ReleaseVersion: 3.11.2\n');
  else if (command !== 'drain' && command !== 'flush') {
    tool.err(`nodetool: ${command ?? 'help'} is not simulated here\n`);
    return 1;
  }
  return 0;
});

export const programs: Readonly<Record<string, Program>> = { 'cassandra:nodetool': nodetool };
