import { bytesOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { lookUp } from '../../../lookup.js';
import { makeNonce, proveClient } from '../../scram.js';
import { cstring, frame, int32, readFields, readFrame, readInt32 } from '../server/wire.js';

/** Where a client connects, as libpq takes it from options and the environment. */
export type Target = {
  /** The directory of sockets that the program is built with. */
  sockets: string;
  host: string;
  port: string;
  user: string;
  database: string;
  password: string | null;
  application: string;
};

/** A client's connection, as data. */
export type Link = {
  target: Target;
  address: string;
  descriptor: number | null;
  phase: 'new' | 'connecting' | 'greeting' | 'ready' | 'closed';
  unsent: Bytes;
  received: Bytes;
  bare: string;
  parameters: Record<string, string>;
  /** In words that follow `NAME: error: `. */
  problem: string;
  needsPassword: boolean;
};

export const makeLink = (target: Target): Link => ({
  ...{ target, address: '', descriptor: null, phase: 'new', unsent: '', received: '', bare: '' },
  ...{ parameters: {}, problem: '', needsPassword: false },
});

export interface Message {
  readonly type: string;
  readonly body: Bytes;
}
const CHUNK = 65_536;
const MAX_RECEIVED = 16 << 20;
const PROTOCOL = 196_608;

const isLocal = ({ host }: Target): boolean => host === '' || host.startsWith('/');

/** The directory that was asked for, or else the program's own. */
export const socketsOf = ({ host, sockets }: Target): string => host || sockets;
const socketOf = (target: Target): string => `${socketsOf(target)}/.s.PGSQL.${target.port}`;

/** How messages begin that tell of a connection. */
function whereOf({ target, address }: Link): string {
  if (isLocal(target)) return `connection to server on socket "${socketOf(target)}" failed: `;
  const own = address === target.host || address === '' ? '' : ` (${address})`;
  return `connection to server at "${target.host}"${own}, port ${target.port} failed: `;
}

function giveUp(link: Link, reason: string, hint = ''): void {
  link.problem = `${whereOf(link)}${reason}${hint === '' ? '' : `\n\t${hint}`}`;
  link.phase = 'closed';
}

/** Goes on as far as it can; then what to wait for is readable or writable. */
export function proceed(link: Link, sys: Syscalls): void {
  try {
    if (link.phase === 'new') open(link, sys);
    if (link.phase === 'connecting') connect(link, sys);
    if (link.phase === 'closed' || link.phase === 'connecting') return;
    exchange(link, sys);
    while (link.phase === 'greeting' && greet(link, sys));
    if (link.unsent !== '') exchange(link, sys);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    lose(link);
  }
}

function lose(link: Link): void {
  if (link.phase === 'ready') {
    link.problem =
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.';
    link.phase = 'closed';
  } else
    giveUp(
      link,
      'server closed the connection unexpectedly',
      'This probably means the server terminated abnormally\n\tbefore or while processing the request.',
    );
}

function open(link: Link, sys: Syscalls): void {
  const { target } = link;
  if (isLocal(target)) {
    if (!sys.access(socketOf(target), ''))
      return giveUp(
        link,
        'No such file or directory',
        'Is the server running locally and accepting connections on that socket?',
      );
    link.address = '127.0.0.1';
  } else {
    const [address] = lookUp(sys, target.host).addresses;
    if (address === undefined) {
      link.problem = `could not translate host name "${target.host}" to address: Name or service not known`;
      link.phase = 'closed';
      return;
    }
    link.address = address;
  }
  link.descriptor = sys.connect(link.address, Number(target.port));
  link.phase = 'connecting';
}

function connect(link: Link, sys: Syscalls): void {
  let code;
  try {
    code = sys.connectError(link.descriptor!);
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') return;
    throw error;
  }
  if (code !== undefined)
    return giveUp(
      link,
      new SystemError(code).message,
      isLocal(link.target)
        ? 'Is the server running locally and accepting connections on that socket?'
        : 'Is the server running on that host and accepting TCP/IP connections?',
    );
  const { user, database, application } = link.target;
  const pairs = [
    ['user', user],
    ['database', database],
    ['application_name', application],
    ['client_encoding', 'UTF8'],
  ];
  const body = int32(PROTOCOL) + pairs.map(([name, value]) => cstring(name!) + cstring(value!)).join('');
  link.unsent = `${int32(body.length + 5)}${body}\0`;
  link.phase = 'greeting';
}

function exchange(link: Link, sys: Syscalls): void {
  const descriptor = link.descriptor!;
  if (link.unsent !== '') link.unsent = link.unsent.slice(sys.write(descriptor, link.unsent));
  for (let bytes = sys.read(descriptor, CHUNK); bytes !== undefined; bytes = sys.read(descriptor, CHUNK)) {
    if (bytes === '') {
      if (link.received === '') lose(link);
      return;
    }
    sys.charge(1 + (bytes.length >> 5));
    link.received += bytes;
    if (link.received.length > MAX_RECEIVED) return lose(link);
  }
}

/** The next message; undefined: it is not there yet. */
export function takeMessage(link: Link): Message | undefined {
  const found = readFrame(link.received, true);
  if (found === undefined) return undefined;
  if (found === 'bad') {
    lose(link);
    return undefined;
  }
  link.received = link.received.slice(found.length);
  return found;
}

/** One message before the session is ready. */
function greet(link: Link, sys: Syscalls): boolean {
  const message = takeMessage(link);
  if (message === undefined) return false;
  const { type, body } = message;
  if (type === 'S') {
    const [name = '', value = ''] = body.split('\0');
    link.parameters[name] = value;
  } else if (type === 'E') {
    const { S: severity = 'FATAL', M: text = '' } = readFields(body);
    giveUp(link, `${severity}:  ${text}`);
  } else if (type === 'R') authenticate(link, readInt32(body, 0), body.slice(4), sys);
  else if (type === 'Z') link.phase = 'ready';
  return link.phase === 'greeting';
}

function authenticate(link: Link, kind: number, body: Bytes, sys: Syscalls): void {
  if (kind === 0 || kind === 12) return;
  const { password } = link.target;
  if (password === null) {
    link.needsPassword = true;
    return giveUp(link, 'fe_sendauth: no password supplied');
  }
  if (kind === 10) {
    link.bare = `n=,r=${makeNonce(() => sys.random())}`;
    const first = `n,,${link.bare}`;
    link.unsent += frame('p', `${cstring('SCRAM-SHA-256')}${int32(first.length)}${first}`);
  } else if (kind === 11) {
    sys.charge(80_000);
    link.unsent += frame('p', proveClient(bytesOf(password), link.bare, body));
  } else giveUp(link, `authentication method ${kind} not supported`);
}

/** What a step waits for while the connection is the one to go on. */
export function waitOf({ descriptor, phase, unsent }: Link): { readable: number[]; writable: number[] } {
  if (descriptor === null) return { readable: [], writable: [] };
  if (phase === 'connecting') return { readable: [], writable: [descriptor] };
  return { readable: [descriptor], writable: unsent === '' ? [] : [descriptor] };
}

export function closeLink(link: Link, sys: Syscalls): void {
  if (link.descriptor !== null && sys.descriptors().includes(link.descriptor)) sys.close(link.descriptor);
  link.descriptor = null;
  link.phase = 'closed';
}
