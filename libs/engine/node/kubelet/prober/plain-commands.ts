import type { Container } from '../../../api/core_v1.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Process } from '../../cri/image.js';

/** Programs of base systems, which the files of an image have exactly when the image has them. */
const PLAIN = new Set('sh bash ash cat ls test [ stat grep find true false pgrep ps echo curl wget nc'.split(' '));

/** What a shell finds missing may be a program of the image's own that nobody wrote. */
const MISSING = new Set([126, 127]);

type Run = NonNullable<Process['exec']>;

/** The container's machine, as far as commands of probes need it. */
export interface CommandRunner {
  run: Run;
  quietUntil(sinceStart: Millis): Millis;
}

const isPlain = (argv: readonly string[]): boolean => PLAIN.has(argv[0]?.slice(argv[0].lastIndexOf('/') + 1) ?? '');

/** Whether a probe of the container asks for a command that its files can answer. */
export const hasPlainProbe = ({ startupProbe, readinessProbe, livenessProbe }: Container): boolean =>
  [startupProbe, readinessProbe, livenessProbe].some((probe) => probe?.exec && isPlain(probe.exec.command ?? []));

/**
 * A server known by its summary, whose probes run commands of base systems in its machine. Programs of its own
 * (`pg_isready`) count as content.
 */
export function withPlainCommands(process: Process, { run, quietUntil }: CommandRunner): Process {
  const exec: Run = (argv, sinceStart, timeoutMs) => {
    if (!isPlain(argv)) return { code: 0, output: '' };
    const result = run(argv, sinceStart, timeoutMs);
    const isUnknown = !result.isUnstarted && (MISSING.has(result.code) || /is not simulated/.test(result.output));
    return isUnknown ? { code: 0, output: '' } : result;
  };
  return { ...process, isMachine: true, exec, quietUntil };
}
