import { bytesOf, textOf } from '../../kernel/bytes.js';
import { StartFailure } from '../../kernel/container.js';
import type { Machine } from '../../kernel/machine.js';
import { SIGNALS } from '../../kernel/signals.js';
import type { Millis } from '../../machinery/time/time.js';

const SIGNALED = 128;
const TIMED_OUT = 1;

export interface CommandOutcome {
  readonly code: number;
  /** Standard output and standard error, as the kubelet's ExecInContainer joins them. */
  readonly output: string;
  /** How long it ran. */
  readonly tookMs: Millis;
}

/** Runs a command in a container to its end, or until the timeout. Models prober.go's execInContainer. */
export function runCommand(
  machine: Machine,
  containerID: string,
  argv: readonly string[],
  timeoutMs: Millis,
): CommandOutcome {
  const { now } = machine;
  try {
    const session = machine.exec(containerID, { argv: argv.map(bytesOf), terminal: false, stdin: false }, now);
    machine.run(now);
    for (;;) {
      const { exit, stdout, stderr } = machine.output(session);
      if (exit) {
        const code = exit.signal ? SIGNALED + SIGNALS[exit.signal] : exit.code;
        return { code, output: textOf(stdout + stderr), tookMs: machine.now - now };
      }
      const wake = machine.nextWake();
      if (wake === undefined || wake > now + timeoutMs || !machine.run(wake))
        return {
          code: TIMED_OUT,
          tookMs: timeoutMs,
          output: `command timed out: "${argv.join(' ')}" timed out after ${timeoutMs / 1_000}s`,
        };
    }
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    return {
      code: 126,
      tookMs: 0,
      output: `OCI runtime exec failed: exec failed: unable to start container process: ${error.message}: unknown`,
    };
  }
}
