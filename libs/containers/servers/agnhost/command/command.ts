import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { exit, type Plain, type Program, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Signal } from '../../../../engine/kernel/signals.js';
import { addOutput, flushOutput, type Output } from '../../../tools/framework/output.js';
import { klogHead } from '../../go.js';
import type { Running } from '../../serve.js';
import { Flags, type FlagTable } from './flags.js';

/** A sub-command of agnhost. */
export interface Command {
  readonly flags: FlagTable;
  /** How many operands it takes; by default none. */
  readonly operands?: number | 'any';
  /** Signals that the program handles itself. Without them it ends as Go's runtime does. */
  readonly signals?: readonly Signal[];
  readonly program: Program;
}

/** The flags of the sub-command that runs. argv: /agnhost, the sub-command, its own words. */
export const readFlags = (table: FlagTable, argv: readonly Bytes[]): Flags => new Flags(table, argv.slice(2));

/** A line of log.Printf, which agnhost sends through klog. */
export const logLine = (
  { now, pid }: Syscalls,
  message: Bytes,
  level: 'I' | 'E' | 'F' = 'I',
  source = 'log.go:245',
): Bytes => `${klogHead(level, now, pid, source)}${message.replace(/\n$/, '')}\n`;

/** What a sub-command that is no server works with. */
export interface Job<State extends Plain> {
  readonly sys: Syscalls;
  readonly argv: readonly Bytes[];
  readonly own: State;
  out(bytes: Bytes): void;
  err(bytes: Bytes): void;
  /** log.Printf. */
  log(message: Bytes): void;
}

/** A sub-command that runs to its end: a step returns its exit code, or what it waits for. */
export function defineJob<State extends Plain>(
  start: (argv: readonly Bytes[], sys: Syscalls) => State,
  step: (job: Job<State>) => number | Wait,
): Program {
  type Whole = { argv: Bytes[]; own: State; output: Output; code: number | null };
  const program: Program<Whole> = {
    start: (argv, sys) => ({ argv: [...argv], own: start(argv, sys), output: [], code: null }),
    step(state, sys) {
      const blocked = flushOutput(state.output, sys);
      if (blocked !== undefined) return blocked;
      if (state.code !== null) return exit(state.code);
      const result = step({
        ...{ sys, argv: state.argv, own: state.own },
        out: (bytes) => addOutput(state.output, 1, bytes),
        err: (bytes) => addOutput(state.output, 2, bytes),
        log: (message) => addOutput(state.output, 2, logLine(sys, message)),
      });
      if (typeof result === 'number') state.code = result;
      const waits = flushOutput(state.output, sys);
      if (waits !== undefined) return waits;
      return typeof result === 'number' ? exit(result) : result;
    },
  };
  return program as unknown as Program;
}

/** log.Printf of a server. */
export const logTo = <Own extends Plain>(server: Running<Own>, message: Bytes): void =>
  server.err(logLine(server.sys, message));

/** log.Fatal: the line, and exit code 1. */
export function fatal<Own extends Plain>(server: Running<Own>, message: Bytes): void {
  logTo(server, message);
  server.exit(1);
}
