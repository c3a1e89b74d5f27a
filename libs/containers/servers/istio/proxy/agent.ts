import { bytesOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { exit, type Plain, type Program } from '../../../../engine/kernel/process/program.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../../dial.js';
import { ADMIN_PORT } from './admin.js';

type State = { dial: Plain; output: Bytes; code: number };
const TIMEOUT = 10_000;
const USAGE = 'Error: not simulated here: of pilot-agent there are request, wait and version\n';

const portIn = (argv: readonly Bytes[]): number => {
  const at = argv.findIndex((word) => word.startsWith('--debug-port'));
  if (at < 0) return ADMIN_PORT;
  return Number(argv[at]!.split('=')[1] ?? argv[at + 1] ?? ADMIN_PORT) || ADMIN_PORT;
};

/** pilot-agent beside the one that is the proxy: `request GET PATH` asks Envoy's administration. */
const program: Program<State> = {
  start(argv, sys) {
    const [, command, ...words] = argv;
    const done = (output: Bytes, code: number): State => ({ dial: null, output, code });
    if (command === 'version') return done('client version: istio\n', 0);
    if (command === 'wait') return done('', 0);
    if (command !== 'request') return done(USAGE, 255);
    const [method = 'GET', path = ''] = words.filter((word) => !word.startsWith('-'));
    const request = `${method} /${path.replace(/^\//, '')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    try {
      const dialed = dial(sys, '127.0.0.1', portIn(words), 'tcp', request, TIMEOUT);
      return { dial: dialed as Plain, output: '', code: 0 };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      return done(bytesOf(`Error: ${error.message}\n`), 1);
    }
  },
  step(state, sys) {
    if (state.dial !== null) {
      const outcome = continueDial(sys, state.dial as Dial, isWholeAnswer);
      if ('wait' in outcome) return { type: 'wait', ...outcome.wait };
      state.dial = null;
      const answer = 'received' in outcome ? readAnswer(outcome.received) : undefined;
      state.output = answer?.body ?? 'Error: dial tcp 127.0.0.1: connect: connection refused\n';
      state.code = answer === undefined || answer.status !== 200 ? 1 : 0;
    }
    if (state.output !== '') sys.write(state.code === 0 ? 1 : 2, state.output);
    return exit(state.code);
  },
};

const agent: Program = program as unknown as Program;

/** One file is the proxy and, with other arguments, the tool that asks it. */
export function withAgent(proxy: Program): Program {
  const of = (argv: readonly Bytes[]): Program => (argv[1] === 'proxy' ? proxy : agent);
  return {
    ...proxy,
    start: (argv, sys) => of(argv).start(argv, sys),
    step: (state, sys) => of(sys.argv).step(state, sys),
  };
}
