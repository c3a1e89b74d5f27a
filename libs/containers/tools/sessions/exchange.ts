import type { Wait } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';

export const FIRST_WAIT = 20;
const LONGEST_WAIT = 2_000;
const MAX_PENDING = 65_536;

/** The client's side of a session in another machine of the cluster, as plain data: bytes go there by requests. */
export type Exchange = {
  stdin: boolean;
  tty: boolean;
  stdoutFrom: number;
  stderrFrom: number;
  /** Bytes of standard input that the program has not taken. */
  pending: string;
  isStdinOver: boolean;
  isEndSent: boolean;
  /** The end of standard input stands behind the bytes that are under way. */
  isClosing: boolean;
  /** ms to the next look; longer each time that nothing has come. */
  wait: number;
};

/** What one request has led to. */
export interface Exchanged {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutFrom?: number;
  readonly stderrFrom?: number;
  /** Bytes of standard input. */
  readonly taken?: number;
  readonly exit?: { readonly code: number };
}

export const newExchange = (stdin: boolean, tty: boolean): Exchange => ({
  ...{ stdin, tty, stdoutFrom: 0, stderrFrom: 0, pending: '', isStdinOver: false, isEndSent: false },
  ...{ isClosing: false, wait: FIRST_WAIT },
});

/** Reads what stands on standard input, as long as there is room for it. */
export function readStdin({ sys }: Pick<FilterContext, 'sys'>, exchange: Exchange): void {
  while (isReading(exchange) && exchange.pending.length < MAX_PENDING) {
    const bytes = sys.read(0);
    if (bytes === undefined) return;
    if (bytes === '') exchange.isStdinOver = true;
    exchange.pending += bytes;
  }
}

export const hasInput = ({ pending, isStdinOver, isEndSent }: Exchange): boolean =>
  pending !== '' || (isStdinOver && !isEndSent);

const isReading = ({ stdin, isStdinOver }: Exchange): boolean => stdin && !isStdinOver;

/** The next request: where the client stands, and what it gives. */
export function nextRequest({ sys }: Pick<FilterContext, 'sys'>, exchange: Exchange): object {
  const { stdoutFrom, stderrFrom, pending } = exchange;
  exchange.isClosing = exchange.stdin && exchange.isStdinOver && !exchange.isEndSent;
  const resize = exchange.tty && sys.isTerminal(1) ? { resize: sys.terminalSize(1) } : {};
  const input = { ...resize, stdin: pending, ...(exchange.isClosing ? { closeStdin: true } : {}) };
  return { stdoutFrom, stderrFrom, input };
}

/** Takes the answer, but for its output. A number is the exit code of the session's program. */
export function takeAnswer(exchange: Exchange, answer: Exchanged): number | undefined {
  const { stdout = '', stderr = '', taken = 0, exit } = answer;
  exchange.stdoutFrom = answer.stdoutFrom ?? exchange.stdoutFrom;
  exchange.stderrFrom = answer.stderrFrom ?? exchange.stderrFrom;
  exchange.pending = exchange.pending.slice(taken);
  exchange.isEndSent ||= exchange.isClosing && exchange.pending === '';
  if (exit) return exit.code;
  const isQuiet = stdout === '' && stderr === '' && taken === 0;
  exchange.wait = isQuiet ? Math.min(LONGEST_WAIT, exchange.wait * 2) : FIRST_WAIT;
  return undefined;
}

/** Until the next look, or more input. */
export const waitFor = (exchange: Exchange, until: number): Wait => ({
  type: 'wait',
  until,
  ...(isReading(exchange) ? { readable: [0] } : {}),
});
