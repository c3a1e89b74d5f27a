import { bytesOf, textOf } from '../../../kernel/bytes.js';
import { StartFailure } from '../../../kernel/container.js';
import { SIGNALS } from '../../../kernel/signals.js';
import type { Millis } from '../../../machinery/time/time.js';
import { digestOf } from '../../digest.js';
import type { BoundedMachine } from './bounded-machine.js';
import type { Trial } from './trial.js';

const SIGNALED = 128;
const TIMED_OUT = 1;

export interface CommandOutcome {
  readonly code: number;
  /** Standard output and standard error, as the kubelet's ExecInContainer joins them. */
  readonly output: string;
  /** How long it ran. */
  readonly tookMs: Millis;
  /** It has asked for names, or connected to others. */
  readonly asksOthers?: boolean;
  /** It could not be started: `output` is what the runtime says of it. */
  readonly isUnstarted?: boolean;
}

/** Runs a command in a container to its end, or until the timeout. Models prober.go's execInContainer. */
export function tryCommand(
  copy: BoundedMachine,
  containerID: string,
  argv: readonly string[],
  timeoutMs: Millis,
): Trial<CommandOutcome> {
  const { now } = copy;
  const session = beginCommand(copy, containerID, argv);
  if (typeof session !== 'string') return { copy, proceed: () => ({ result: session }) };
  return {
    copy,
    proceed: () => {
      for (;;) {
        const { exit, stdout, stderr } = copy.output(session);
        if (exit) {
          const code = exit.signal ? SIGNALED + SIGNALS[exit.signal] : exit.code;
          return { result: { code, output: textOf(stdout + stderr), tookMs: copy.now - now } };
        }
        const wake = copy.nextWake();
        if (wake === undefined || wake > now + timeoutMs) return { result: timedOut(argv, timeoutMs) };
        if (!copy.run(wake)) return undefined;
      }
    },
  };
}

/** The session of the command, or why it cannot be started. */
function beginCommand(copy: BoundedMachine, containerID: string, argv: readonly string[]): string | CommandOutcome {
  try {
    return copy.exec(containerID, { argv: argv.map(bytesOf), terminal: false, stdin: false }, copy.now);
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return { code: 126, tookMs: 0, isUnstarted: true, output: cannotStart(containerID, argv, error.message) };
  }
}

/** Models the words of containerd and runc for a command that cannot be started in a container that runs. */
export const cannotStart = (containerID: string, argv: readonly string[], why: string): string =>
  `rpc error: code = Unknown desc = failed to exec in container: failed to start exec ` +
  `"${digestOf(`${containerID} ${argv.join(' ')}`)}": ` +
  `OCI runtime exec failed: exec failed: unable to start container process: ${why}: unknown`;

const timedOut = (argv: readonly string[], timeoutMs: Millis): CommandOutcome => ({
  code: TIMED_OUT,
  tookMs: timeoutMs,
  output: `command timed out: "${argv.join(' ')}" timed out after ${timeoutMs / 1_000}s`,
});
