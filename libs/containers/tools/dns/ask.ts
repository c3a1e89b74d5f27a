import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameAnswer } from '../../../engine/kernel/process/syscalls.js';
import { parseAddress } from '../../../engine/machinery/net/netip.js';
import { lookUp } from '../../servers/lookup.js';
import type { WaitingContext } from '../framework/tool.js';

export const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}:[\da-f:]{1,40})$/i;
/** bind's own. */
export const TRY_TIMEOUT_MS = 5_000;

export function reverseName(address: Bytes): Bytes {
  const sixth = address.includes(':') ? parseAddress(address) : undefined;
  if (!sixth) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  const digits = sixth
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

export const withoutDot = (name: Bytes): Bytes => (name.endsWith('.') ? name.slice(0, -1) : name);

/** The address of a server that is named on the command line; undefined when there is none. */
export function findServer(tool: WaitingContext, named: Bytes): string | undefined {
  if (ADDRESS.test(named)) return named;
  return (
    tool.once(() => {
      const { addresses, delay } = lookUp(tool.sys, named);
      return { value: { address: addresses[0] ?? null }, delay };
    }).address ?? undefined
  );
}

export interface Question {
  readonly servers: readonly string[];
  readonly name: Bytes;
  readonly type: string;
  readonly tries: number;
  readonly timeoutMs: number;
}

export type Outcome = {
  /** Undefined: no server could be reached. */
  answer?: NameAnswer;
  server: string;
  /** What failed before, in bind's words, without the newline. */
  errors: string[];
};

/** Asks server after server, each as often as it may be asked. Models dighost.c. */
export function ask(tool: WaitingContext, { servers, name, type, tries, timeoutMs }: Question): Outcome {
  return tool.once(() => {
    const errors: string[] = [];
    let delay = 0;
    let failed: { answer: NameAnswer; server: string } | undefined;
    for (let attempt = 0; attempt < tries; attempt++) {
      for (const server of servers) {
        const answer = tool.sys.queryName(server, name, type);
        const { failure } = answer;
        delay += failure === 'lost' ? timeoutMs : answer.delay;
        if (!failure) {
          if (answer.code !== 'SERVFAIL') return { value: { answer, server, errors } as Outcome as never, delay };
          failed ??= { answer, server };
        } else errors.push(`;; communications error to ${server}#53: ${WORDS[failure]}`);
      }
      if (failed) break;
    }
    return { value: { ...failed, server: failed?.server ?? servers[0] ?? '', errors } as Outcome as never, delay };
  });
}

const WORDS = { refused: 'connection refused', lost: 'timed out', unreachable: 'network unreachable' } as const;

/** Asks name after name until one is not denied; the last answer when all are. */
export function askAll(
  tool: WaitingContext,
  names: readonly Bytes[],
  question: Omit<Question, 'name'>,
): Outcome & { readonly name: Bytes } {
  let last: (Outcome & { readonly name: Bytes }) | undefined;
  for (const name of names) {
    last = { ...ask(tool, { ...question, name }), name };
    if (last.answer === undefined || last.answer.code === 'NOERROR') return last;
  }
  return last!;
}
