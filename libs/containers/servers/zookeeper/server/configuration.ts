import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../tools/accounts.js';
import type { Peer } from './ensemble.js';

/** What zoo.cfg and the file myid say. */
export type Configuration = {
  clientPort: number;
  dataDir: Bytes;
  tickTime: number;
  maxClientCnxns: number;
  minSessionTimeout: number;
  maxSessionTimeout: number;
  /** Four-letter words that are answered; '*': all. */
  words: Bytes;
  id: number;
  /** Port for other servers; 0: it stands alone. */
  peerPort: number;
  /** The others. */
  peers: Peer[];
};

const MAX_SERVERS = 100;

/** Reads `zoo.cfg`; a text is the problem with it. */
export function readConfiguration(sys: Syscalls, path: Bytes, isOld: boolean): Configuration | string {
  if (!sys.access(path, 'r')) return `Error processing ${path}`;
  const settings: Record<string, Bytes> = {};
  for (const line of readSmallFile(sys, path).split('\n')) {
    const cut = line.indexOf('=');
    if (cut > 0 && !line.startsWith('#')) settings[line.slice(0, cut).trim()] = line.slice(cut + 1).trim();
  }
  const number = (name: string, otherwise: number): number => Number(settings[name] ?? otherwise) || otherwise;
  const dataDir = settings['dataDir'];
  if (dataDir === undefined) return 'dataDir is not set';
  const servers = Object.keys(settings).filter((name) => /^server\.\d{1,3}$/.test(name));
  const all = servers.slice(0, MAX_SERVERS).map((name) => readServer(Number(name.slice(7)), settings[name]!));
  const isAlone = all.length <= 1;
  const id = isAlone ? 1 : Number(readSmallFile(sys, `${dataDir}/myid`).trim());
  if (!isAlone && !all.some((one) => one.id === id)) return `${dataDir}/myid file is missing`;
  const tickTime = number('tickTime', 3_000);
  return {
    ...{ clientPort: number('clientPort', clientPortOf(Object.values(settings))), dataDir, tickTime },
    maxClientCnxns: number('maxClientCnxns', 60),
    minSessionTimeout: number('minSessionTimeout', tickTime * 2),
    maxSessionTimeout: number('maxSessionTimeout', tickTime * 20),
    ...{ words: settings['4lw.commands.whitelist'] ?? (isOld ? '*' : 'srvr'), id },
    peerPort: isAlone ? 0 : all.find((one) => one.id === id)!.port,
    peers: isAlone ? [] : all.filter((one) => one.id !== id),
  };
}

/** `server.1=zoo1:2888:3888;2181`. */
const clientPortOf = (values: readonly Bytes[]): number =>
  Number(values.map((value) => /;(\d{1,5})$/.exec(value)?.[1]).find((port) => port !== undefined) ?? 2_181);

function readServer(id: number, value: Bytes): Peer {
  const [host = '', port = '2888'] = value.split(';', 1)[0]!.split(':');
  return { id, host, port: Number(port) };
}
