import { bytesOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { connectError } from '../../../dial.js';
import { lookUp } from '../../../lookup.js';
import type { Connection } from '../../../serve.js';
import { readSegments, writeSegments } from '../../sqlite/segments.js';
import { packet, readPacket, scramble, whole } from './wire.js';
import type { Source } from './source.js';

/** COM_BINLOG_DUMP: from here on the source tells of its changes. */
export const DUMP = '\x12';
const FLAGS = 0x1 | 0x200 | 0x2000 | 0x8000 | 0x80000;
const MAX_PACKET = 1 << 24;

/** A change, as a source tells its replicas: the databases that there are, and one of them as it is now. */
interface Change {
  readonly databases: readonly string[];
  readonly users: Bytes;
  readonly name?: string;
  readonly content?: Bytes;
}

/** A replica's connection to its source, which is being made; undefined: its host is not known. */
export function openLink(sys: Syscalls, source: Source, own: Connection['own']): Connection | undefined {
  const address = lookUp(sys, bytesOf(source.host)).addresses[0];
  if (address === undefined) return undefined;
  const descriptor = sys.connect(address, source.port);
  return {
    ...{ descriptor, port: 0, protocol: 'tcp', address, remotePort: source.port, received: '', unsent: '' },
    ...{ isEnded: false, closes: false, file: null, task: 'connecting', wait: { writable: [descriptor] }, own },
  };
}

export function finishConnecting(sys: Syscalls, connection: Connection): void {
  const code = connectError(sys, connection.descriptor);
  if (code === 'EAGAIN') return;
  connection.task = null;
  connection.wait = {};
  if (code !== undefined) connection.closes = true;
}

/** Takes what the source has sent: its greeting, its answer to the proof, then changes. */
export function takeFromSource(
  connection: Connection,
  stage: { plugin: string },
  source: Source,
  apply: (change: Bytes) => void,
): void {
  for (let found = readPacket(connection.received); found !== undefined; found = readPacket(connection.received)) {
    if (found === 'bad') return void (connection.closes = true);
    connection.received = connection.received.slice(found.length);
    const { body, sequence } = found;
    if (stage.plugin === 'dump') apply(body);
    else if (body.charCodeAt(0) === 0xff) connection.closes = true;
    else if (stage.plugin === '') {
      connection.unsent += packet(loginOf(body, source), sequence + 1);
      stage.plugin = 'login';
    } else if (body.charCodeAt(0) === 0) {
      connection.unsent += packet(DUMP, 0);
      stage.plugin = 'dump';
    }
  }
}

/** The answer to a greeting: who somebody is, and the proof. */
export function loginOf(greeting: Bytes, { user, password }: Pick<Source, 'user' | 'password'>): Bytes {
  const at = greeting.indexOf('\0', 1) + 5;
  const nonce = greeting.slice(at, at + 8) + greeting.slice(at + 27, at + 39);
  const plugin = greeting.slice(at + 40).split('\0', 1)[0]!;
  const proof = scramble(plugin, password, nonce);
  const head = `${whole(FLAGS, 4)}${whole(MAX_PACKET, 4)}\xff${'\0'.repeat(23)}`;
  return `${head}${bytesOf(user)}\0${String.fromCharCode(proof.length)}${proof}${plugin}\0`;
}

export function describeChange(
  sys: Syscalls,
  data: string,
  databases: readonly string[],
  users: Bytes,
  name?: string,
): Bytes {
  const change: Change = {
    databases: databases.map((one) => bytesOf(one)),
    users,
    ...(name === undefined
      ? {}
      : { name: bytesOf(name), content: readSegments(sys, `${data}/${bytesOf(name)}`, 'ib') }),
  };
  return JSON.stringify(change);
}

/** Makes a replica's databases those of its source. Throws SystemError. */
export function applyChange(sys: Syscalls, data: string, text: Bytes, known: readonly string[]): Bytes {
  const { databases, users, name, content = '' } = JSON.parse(text) as Change;
  for (const gone of known.map((one) => bytesOf(one)).filter((one) => !databases.includes(one))) {
    for (const file of sys.readDirectory(`${data}/${gone}`)) sys.unlink(`${data}/${gone}/${file}`);
    sys.removeDirectory(`${data}/${gone}`);
  }
  for (const one of databases) makeFolder(sys, `${data}/${one}`);
  if (name !== undefined) {
    const folder = `${data}/${name}`;
    writeSegments(sys, folder, 'ib', readSegments(sys, folder, 'ib'), content);
  }
  return users;
}

function makeFolder(sys: Syscalls, path: Bytes): void {
  try {
    sys.makeDirectory(path, 0o750);
  } catch (error) {
    if (!(error instanceof SystemError && error.code === 'EEXIST')) throw error;
  }
}
