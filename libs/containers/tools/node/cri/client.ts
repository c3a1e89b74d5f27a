import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { RUNTIME_ADDRESS, RUNTIME_SOCKET } from '../../../../engine/node/cri/service/socket.js';
import { readAnswer } from '../../../servers/dial.js';
import { type ToolContext, ToolFailure, type WaitingContext } from '../../framework/tool.js';

const CHUNK = 65_536;
/** Between two tries, while nobody may act on the cluster. */
export const RETRY_MS = 50;
const MAX_TRIES = 200;

export type RuntimeAnswer = { readonly [name: string]: unknown };

/**
 * A call of the CRI at the node's socket; null: it cannot be carried out at this moment. `disk`: where the process has
 * the node's disk. Throws ToolFailure.
 */
export function tryRuntime(sys: Syscalls, operation: string, body: object, disk = ''): RuntimeAnswer | null {
  if (!sys.access(disk + RUNTIME_SOCKET, 'rw'))
    throw new ToolFailure(
      `validate service connection: validate CRI v1 runtime API for endpoint "${RUNTIME_ADDRESS}": rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${RUNTIME_SOCKET}: connect: ${sys.access(RUNTIME_SOCKET, '') ? 'permission denied' : 'no such file or directory'}"`,
    );
  const socket = sys.connect(RUNTIME_ADDRESS, 0);
  try {
    if (sys.connectError(socket) !== undefined)
      throw new ToolFailure(`dial unix ${RUNTIME_SOCKET}: connect: connection refused`);
    const content = bytesOf(JSON.stringify(body));
    const head = `POST /${operation} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`;
    for (let rest = head + content; rest !== '';) {
      const count = sys.write(socket, rest);
      if (count === 0) return null;
      rest = rest.slice(count);
    }
    let received = '';
    for (let part = sys.read(socket, CHUNK); part !== undefined && part !== ''; part = sys.read(socket, CHUNK))
      received += part;
    const answer = readAnswer(received);
    return answer ? readBody(answer.status, textOf(answer.body)) : null;
  } finally {
    sys.close(socket);
  }
}

function readBody(status: number, text: string): RuntimeAnswer {
  const found = (text === '' ? {} : JSON.parse(text)) as RuntimeAnswer;
  if (status === 200) return found;
  throw new ToolFailure(
    typeof found['error'] === 'string' ? found['error'] : `the container runtime answers ${status}`,
  );
}

/** The same, waiting until it can be carried out. */
export function callRuntime(tool: WaitingContext, operation: string, body: object): RuntimeAnswer {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = tool.once(() => {
      const answer = tryRuntimeOrFail(tool, operation, body);
      return { value: answer, delay: answer === null ? RETRY_MS : 0 };
    });
    if (found === null) continue;
    const answer = JSON.parse(found) as RuntimeAnswer & { readonly failure?: string };
    if (answer.failure !== undefined) throw new ToolFailure(answer.failure);
    return answer;
  }
  throw new ToolFailure('rpc error: code = DeadlineExceeded desc = context deadline exceeded');
}

/** As text, since it is part of the tool's state. */
function tryRuntimeOrFail({ sys }: ToolContext, operation: string, body: object): string | null {
  try {
    const answer = tryRuntime(sys, operation, body);
    return answer && JSON.stringify(answer);
  } catch (error) {
    if (error instanceof ToolFailure) return JSON.stringify({ failure: error.message });
    throw error;
  }
}
