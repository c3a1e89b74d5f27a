import type { Node } from '../../../api/core_v1.js';
import { findHost, listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { isOff } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import type { ErrorCode } from '../../../kernel/errno.js';
import type { Body, RuntimeServiceOptions } from '../../cri/service/call.js';
import { RuntimeFailure, textIn } from '../../cri/service/call.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';

const PORT = 22;
/** The port that a client's socket has: nothing tells its connections apart. */
const SOURCE_PORT = 50_022;
const MAX_WORDS = 100;

const WORDS: Partial<Record<ErrorCode, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
};

/**
 * What sshd of another node does for root, whose key every node knows: a command, or the login shell. Throws
 * RuntimeFailure in the words of ssh. `{local: true}`: the client's own node, whose shell it is itself.
 */
export function openSsh({ read, machines, sessions, from, now }: RuntimeServiceOptions, body: Body): object {
  const host = textIn(body, 'host');
  const node = findNode(read, host);
  const own = from.spec.nodeName ?? '';
  if (!node) throw new RuntimeFailure(`Could not resolve hostname ${host}: Name or service not known`);
  const { name = '' } = node.metadata;
  if (name === own) return { local: true };
  const failed = isOff(read, name) ? 'EHOSTUNREACH' : failureOfWay();
  if (failed)
    throw new RuntimeFailure(`connect to host ${host} port ${PORT}: ${WORDS[failed] ?? 'Connection timed out'}`);
  const command = Array.isArray(body['command']) ? body['command'].slice(0, MAX_WORDS).map(String) : [];
  const tty = body['tty'] === true;
  const streams = { stdin: body['stdin'] === true, stdout: true, stderr: !tty, tty };
  const { session, failure } = sessions.openShell(node, { container: '', command, ...streams }, now);
  if (!session) throw new RuntimeFailure(failure.message);
  return { session };

  function failureOfWay(): ErrorCode | undefined {
    const client = findHost(read, own);
    const address = node && internalIPOf(node);
    if (!client || !address) return 'EHOSTUNREACH';
    const { end } = machines.network.send({ node: client }, { address, port: PORT, protocol: 'tcp' }, SOURCE_PORT, now);
    return 'error' in end ? end.error : undefined;
  }
}

/** By its name, as each node's /etc/hosts has them, or by its address. */
const findNode = (read: Reader, host: string): Node | undefined =>
  findHost(read, host) ?? listHosts(read).find((node) => internalIPOf(node) === host);
