import type { Bytes } from '../../../engine/kernel/bytes.js';
import { lookUp } from '../../servers/lookup.js';
import { readResolverSettings } from '../../servers/resolver.js';
import { readSmallFile } from '../accounts.js';
import { defineTool, type WaitingContext, UsageFailure } from '../framework/tool.js';
import { ADDRESS, reverseName, withoutDot } from './ask.js';

const SERVICES: readonly (readonly [Bytes, Bytes])[] = [
  ...([
    ['ssh', '22'],
    ['domain', '53'],
    ['http', '80'],
    ['https', '443'],
    ['mysql', '3306'],
    ['postgresql', '5432'],
    ['redis', '6379'],
  ] as const),
];

export const getent = defineTool((tool) => {
  const [database, ...keys] = tool.args.filter((word) => !word.startsWith('-'));
  if (database === undefined) throw new UsageFailure('wrong number of arguments');
  switch (database) {
    case 'hosts':
      if (keys.length === 0) return print(tool, [hostsFile(tool)]);
      return print(
        tool,
        keys.map((key) => hostLine(tool, key)),
      );
    case 'ahosts':
    case 'ahostsv4':
      return print(
        tool,
        keys.map((key) => addressLines(tool, key)),
      );
    case 'ahostsv6':
      return print(
        tool,
        keys.map(() => undefined),
      );
    case 'passwd':
    case 'group':
      return printAccounts(tool, database, keys);
    case 'services':
      return print(tool, keys.map(serviceLine));
    default:
      tool.err(`Unknown database: ${database}\nTry \`getent --help' or \`getent --usage' for more information.\n`);
      return 1;
  }
});

/** 2: a key was not found. */
function print(tool: WaitingContext, lines: readonly (Bytes | undefined)[]): number {
  for (const line of lines) if (line !== undefined) tool.out(line);
  return lines.includes(undefined) ? 2 : 0;
}

function find(tool: WaitingContext, key: Bytes): { addresses: string[]; canonical: string } {
  return tool.once(() => {
    const { addresses, canonical, delay } = lookUp(tool.sys, key);
    return { value: { addresses: [...addresses], canonical }, delay };
  });
}

/** An address is asked for its name. */
function hostLine(tool: WaitingContext, key: Bytes): Bytes | undefined {
  if (ADDRESS.test(key)) {
    const name = nameOf(tool, key);
    return name === '' ? undefined : `${key.padEnd(15)} ${name}\n`;
  }
  const { addresses, canonical } = find(tool, key);
  return addresses.length === 0 ? undefined : addresses.map((one) => `${one.padEnd(15)} ${canonical}\n`).join('');
}

function nameOf(tool: WaitingContext, address: Bytes): Bytes {
  for (const line of readSmallFile(tool.sys, '/etc/hosts').split('\n')) {
    const [own, ...names] = line.split('#', 1)[0]!.trim().split(/\s+/);
    if (own === address && names.length > 0) return names.join(' ');
  }
  const [server = ''] = readResolverSettings(tool.sys).servers;
  return tool.once(() => {
    const { records, delay } = tool.sys.queryName(server, reverseName(address), 'PTR');
    return { value: { name: withoutDot(records.find(({ type }) => type === 'PTR')?.data ?? '') }, delay };
  }).name;
}

function addressLines(tool: WaitingContext, key: Bytes): Bytes | undefined {
  const { addresses, canonical } = find(tool, key);
  if (addresses.length === 0) return undefined;
  const row = (address: string, type: string, name: Bytes): Bytes =>
    `${address.padEnd(15)} ${type.padEnd(6)} ${name}\n`;
  const lines = addresses.map(
    (address, index) =>
      row(address, 'STREAM', index === 0 ? canonical : '') + row(address, 'DGRAM', '') + row(address, 'RAW', ''),
  );
  return lines.join('');
}

function hostsFile(tool: WaitingContext): Bytes {
  return readSmallFile(tool.sys, '/etc/hosts')
    .split('\n')
    .map((line) => line.split('#', 1)[0]!.trim().split(/\s+/))
    .filter(([address, name]) => address && name)
    .map(([address, ...names]) => `${address!.padEnd(15)} ${names.join(' ')}\n`)
    .join('');
}

function printAccounts(tool: WaitingContext, database: Bytes, keys: readonly Bytes[]): number {
  const lines = readSmallFile(tool.sys, `/etc/${database}`).split('\n').filter(Boolean);
  if (keys.length === 0)
    return print(
      tool,
      lines.map((line) => `${line}\n`),
    );
  return print(
    tool,
    keys.map((key) => {
      const line = lines.find((one) => one.split(':')[0] === key || one.split(':')[2] === key);
      return line === undefined ? undefined : `${line}\n`;
    }),
  );
}

function serviceLine(key: Bytes): Bytes | undefined {
  const [name, port] = key.split('/', 1)[0] === key ? [key, key] : key.split('/');
  const entry = SERVICES.find(([own, number]) => own === name || number === port);
  return entry && `${entry[0].padEnd(21)} ${entry[1]}/tcp\n`;
}
