import type { Wait } from '../../../../../engine/kernel/process/program.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';
import type { FilterContext } from '../../../framework/filter.js';
import { parseOptions } from '../../../framework/options.js';
import { defineSteps } from '../../../framework/steps.js';
import { ToolFailure } from '../../../framework/tool.js';
import { askRuntime } from '../../runtime.js';
import { tryRuntime } from '../client.js';
import { fail, GLOBAL } from '../failure.js';
import { findSandbox } from './find.js';

const CHUNK = 65_536;
const MAX_PORTS = 16;
const MAX_LINKS = 64;
/** Between two readings of a connection's other end. */
const PERIOD_MS = 20;

/** A connection of a client's, and its other end in the sandbox: a session of the runtime's, or a socket. */
type Link = {
  client: number;
  /** Of the sandbox. */
  port: number;
  /** The other end is there. */
  isOpen: boolean;
  /** As JSON; '': the other end is `peer`. */
  session: string;
  peer: number;
  /** Bytes under way in each direction. */
  toPeer: string;
  toClient: string;
  stdoutFrom: number;
  isClientOver: boolean;
  isEndSent: boolean;
};

type ForwardState = {
  id: string;
  ip: string;
  listeners: { descriptor: number; local: number; remote: number }[];
  links: Link[];
};

/** `crictl port-forward`: ports of the node's own address lead into a sandbox. Models cmd/crictl/portforward.go. */
export const crictlPortForward = defineSteps<ForwardState>({
  start(tool) {
    try {
      return begin(tool);
    } catch (error) {
      return fail(tool, error, 'port forward');
    }
  },
  step(tool, state) {
    try {
      return advance(tool, state);
    } catch (error) {
      return fail(tool, error, 'port forward');
    }
  },
});

function begin(tool: FilterContext): ForwardState | number {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, ['r,transport:']);
  const [id, ...ports] = options.operands;
  if (id === undefined || ports.length === 0) {
    tool.out(
      'NAME:\n   crictl port-forward - Forward local port to a pod\n\nUSAGE:\n   crictl port-forward [command options] POD-ID [LOCAL_PORT:]REMOTE_PORT\n',
    );
    return 0;
  }
  const found = findSandbox(askRuntime(tool.sys), id);
  if (!found.isReady) throw new ToolFailure(`sandbox ${JSON.stringify(found.id)} is not running`);
  const listeners = ports.slice(0, MAX_PORTS).map((text) => listen(tool, text));
  return { id: found.id, ip: found.ip, listeners, links: [] };
}

function listen({ sys, out }: FilterContext, text: string): ForwardState['listeners'][number] {
  const [first = '', second = first] = text.split(':');
  const [local, remote] = [Number(first || second), Number(second)];
  if (![local, remote].every((port) => Number.isInteger(port) && port > 0 && port < 65_536))
    throw new ToolFailure(
      `error parsing remote port '${second}': strconv.ParseUint: parsing ${JSON.stringify(second)}: invalid syntax`,
    );
  try {
    const descriptor = sys.listen(local, { address: '127.0.0.1' });
    out(`Forwarding from 127.0.0.1:${local} -> ${remote}\n`);
    return { descriptor, local, remote };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ToolFailure(
      `unable to listen on port ${local}: Listeners failed to create with the following errors: [unable to create listener: Error listen tcp4 127.0.0.1:${local}: bind: address already in use]`,
    );
  }
}

function advance(tool: FilterContext, state: ForwardState): Wait {
  const { sys } = tool;
  for (const { descriptor, local, remote } of state.listeners)
    while (state.links.length < MAX_LINKS) {
      const accepted = sys.accept(descriptor);
      if (!accepted) break;
      tool.out(`Handling connection for ${local}\n`);
      state.links.push(newLink(accepted.descriptor, remote));
    }
  state.links = state.links.filter((link) => proceed(tool, state, link));
  const isBusy = state.links.length > 0;
  return {
    type: 'wait',
    readable: [...state.listeners.map(({ descriptor }) => descriptor), ...state.links.map(({ client }) => client)],
    ...(isBusy ? { until: sys.now + PERIOD_MS } : {}),
  };
}

const newLink = (client: number, port: number): Link => ({
  ...{ client, port, isOpen: false, session: '', peer: -1, toPeer: '', toClient: '', stdoutFrom: 0 },
  ...{ isClientOver: false, isEndSent: false },
});

/** False: nothing listens there. */
function open({ sys, err }: FilterContext, { id, ip }: ForwardState, link: Link): boolean {
  const { port } = link;
  try {
    const opened = tryRuntime(sys, 'PortForward', { id, port });
    if (opened === null) return true;
    link.isOpen = true;
    // A server that has no machine of its own answers at its address.
    if (opened['http'] === true) link.peer = sys.connect(ip, port);
    else link.session = JSON.stringify(opened['session']);
    return true;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    err(`an error occurred forwarding ${port} -> ${port}: ${error.message}\n`);
    return false;
  }
}

/** False: it is over, and its sockets are closed. */
function proceed(tool: FilterContext, state: ForwardState, link: Link): boolean {
  const { sys } = tool;
  if (!link.isOpen && !open(tool, state, link)) {
    sys.close(link.client);
    return false;
  }
  if (!link.isOpen) return true;
  while (!link.isClientOver && link.toPeer.length < CHUNK) {
    const bytes = sys.read(link.client, CHUNK);
    if (bytes === undefined) break;
    link.isClientOver = bytes === '';
    link.toPeer += bytes;
  }
  const isOver = link.session === '' ? exchangeWithSocket(tool, link) : exchangeWithSession(tool, link);
  if (link.toClient !== '') link.toClient = link.toClient.slice(sys.write(link.client, link.toClient));
  if (!isOver || link.toClient !== '') return true;
  sys.close(link.client);
  if (link.peer >= 0) sys.close(link.peer);
  return false;
}

function exchangeWithSession({ sys }: FilterContext, link: Link): boolean {
  const closeStdin = link.isClientOver && !link.isEndSent;
  const input = { stdin: link.toPeer, ...(closeStdin ? { closeStdin } : {}) };
  const { stdoutFrom } = link;
  const answer = tryRuntime(sys, 'Stream', { session: JSON.parse(link.session), stdoutFrom, stderrFrom: 0, input });
  if (answer === null) return false;
  link.toPeer = link.toPeer.slice(Number(answer['taken'] ?? 0));
  link.isEndSent ||= closeStdin && link.toPeer === '';
  link.toClient += String(answer['stdout'] ?? '');
  link.stdoutFrom = Number(answer['stdoutFrom']);
  return answer['exit'] !== undefined;
}

function exchangeWithSocket({ sys }: FilterContext, link: Link): boolean {
  try {
    if (sys.connectError(link.peer) !== undefined) return true;
    if (link.toPeer !== '') link.toPeer = link.toPeer.slice(sys.write(link.peer, link.toPeer));
    const bytes = sys.read(link.peer, CHUNK);
    if (bytes === undefined) return false;
    link.toClient += bytes;
    return bytes === '';
  } catch (error) {
    if (error instanceof SystemError && error.code === 'EAGAIN') return false;
    throw error;
  }
}
