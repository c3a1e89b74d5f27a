import { lookUp } from '../../../servers/lookup.js';
import { type Bytes, type ErrorCode, errorCodeOf, SystemError, type Wait } from '../../kernel.js';
import type { ExpandedRedirection, Frame } from '../../state/frame.js';
import type { Shell } from '../shell.js';
import { FIRST_PRIVATE, freeDescriptor } from './descriptors.js';

const SERVICES: Readonly<Record<string, number>> = {
  ssh: 22,
  domain: 53,
  http: 80,
  https: 443,
  mysql: 3306,
  redis: 6379,
};

type Redirecting = Extract<Frame, { type: 'command' | 'redirected' }>;

/**
 * bash: connects what is redirected to /dev/tcp/HOST/PORT and /dev/udp/HOST/PORT before anything else is redirected.
 * A wait: it is still being connected, and this is to be called again.
 */
export function connectSockets(shell: Shell, frame: Redirecting): Wait | undefined {
  if (!shell.isBash) return undefined;
  for (const redirection of frame.redirections) {
    if (!redirection.target.startsWith('/dev/')) continue;
    const [, protocol, host, service] = /^\/dev\/(tcp|udp)\/([^/]+)\/([^/]+)$/.exec(redirection.target) ?? [];
    if (protocol === undefined || redirection.socket !== undefined || redirection.error !== undefined) continue;
    if (redirection.operator.startsWith('<<')) continue;
    const wait = connectOne(shell, frame, redirection, [protocol as 'tcp' | 'udp', host!, service!]);
    if (wait) return wait;
  }
  return undefined;
}

function connectOne(
  shell: Shell,
  frame: Redirecting,
  redirection: ExpandedRedirection,
  [protocol, host, service]: readonly ['tcp' | 'udp', Bytes, Bytes],
): Wait | undefined {
  const { sys } = shell;
  if (frame.connecting === undefined) {
    const port = SERVICES[service] ?? Number(service) % 65_536;
    const [address] = Number.isInteger(port) ? lookUp(sys, host).addresses : [];
    if (address === undefined) {
      const why = Number.isInteger(port) ? `${host}: Name or service not known` : `${service}: ${UNKNOWN_SERVICE}`;
      redirection.error = { explanation: `${shell.prefix()}${why}\n`, code: 'EINVAL' };
      return undefined;
    }
    const opened = sys.connect(address, port, protocol);
    frame.connecting = freeDescriptor(sys, FIRST_PRIVATE);
    sys.duplicate(opened, frame.connecting);
    sys.close(opened);
  }
  const socket = frame.connecting;
  const code = protocol === 'udp' ? undefined : stateOf(shell, socket);
  if (code === 'EAGAIN') return { type: 'wait', writable: [socket] };
  delete frame.connecting;
  if (code === undefined) {
    redirection.socket = socket;
    return undefined;
  }
  sys.close(socket);
  const name = shell.prefix().replace(/: line \d+: $/, ': ');
  redirection.error = { explanation: `${name}connect: ${new SystemError(code).message}\n`, code };
  return undefined;
}

const UNKNOWN_SERVICE = 'Servname not supported for ai_socktype';

/** EAGAIN: it is not decided yet. */
function stateOf(shell: Shell, socket: number): ErrorCode | undefined {
  try {
    return shell.sys.connectError(socket);
  } catch (error) {
    return errorCodeOf(error);
  }
}
