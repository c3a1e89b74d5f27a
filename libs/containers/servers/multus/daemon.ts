import { bytesOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { exit, type Program } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { formatHello } from '../../../engine/node/cni/tls.js';
import { strerror } from '../../tools/framework/failure.js';
import { continueDial, dial, type Dial } from '../dial.js';
import type { Waits } from '../serve.js';

/** What a program prints before it waits for its end; `code`: it ends at once. */
export interface Beginning {
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly code?: number;
}

type State = { readonly argv: Bytes[]; dialed: Dial | null; isWaiting: boolean };

const REQUEST = 'GET /version HTTP/1.1\r\nHost: kubernetes.default\r\n\r\n';
const TIMEOUT = 10_000;

/**
 * A program that does its work at its beginning, and then waits until it is told to stop. Before that it asks the API
 * server for its version: who speaks with others is run at once, and what it leaves on its node is there for the node.
 */
export function daemon(begin: (args: readonly Bytes[], sys: Syscalls) => Beginning): Program {
  const program: Program<State> = {
    start: (argv) => ({ argv: [...argv], dialed: null, isWaiting: false }),
    step(state, sys) {
      if (state.isWaiting) return sys.takeSignal() === undefined ? { type: 'wait' } : exit(0);
      const waits = ask(state, sys);
      if (waits) return { type: 'wait', ...waits };
      state.isWaiting = true;
      const { out, err, code } = beginOrFail(begin, state.argv.slice(1), sys);
      if (out.length > 0) sys.write(1, bytesOf(out.map((line) => `${line}\n`).join('')));
      if (err.length > 0) sys.write(2, bytesOf(err.map((line) => `${line}\n`).join('')));
      return code === undefined ? { type: 'wait' } : exit(code);
    },
  };
  return program as unknown as Program;
}

/** Undefined: it is answered, or nobody answers. */
function ask(state: State, sys: Syscalls): Waits | undefined {
  const host = sys.env['KUBERNETES_SERVICE_HOST'] ?? '';
  if (host === '') return undefined;
  if (state.dialed === null) {
    sys.handleSignal('TERM', 'catch');
    sys.handleSignal('INT', 'catch');
    const port = Number(sys.env['KUBERNETES_SERVICE_PORT'] ?? 443);
    state.dialed = dial(sys, host, port, 'tcp', `${formatHello({ serverName: '' })}${REQUEST}`, TIMEOUT);
  }
  const outcome = continueDial(sys, state.dialed, (received) => received.includes('\r\n\r\n'));
  return 'wait' in outcome ? outcome.wait : undefined;
}

function beginOrFail(
  begin: (args: readonly Bytes[], sys: Syscalls) => Beginning,
  args: readonly Bytes[],
  sys: Syscalls,
): Beginning {
  try {
    return begin(args, sys);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { out: [], err: [strerror(error).toLowerCase()], code: 1 };
  }
}
