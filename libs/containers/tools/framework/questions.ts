import type { Bytes } from '../../../engine/kernel/bytes.js';
import { type ErrorCode, errorCodeOf, SystemError } from '../../../engine/kernel/errno.js';
import { type Plain, type Wait, waitToRead } from '../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';

/** A system call that a tool has made: what came of it. */
type Call = { value?: Plain; error?: ErrorCode };

/** What a tool that asks has to remember, as it runs again from its beginning after each answer. */
export type Dialogue = {
  calls: Call[];
  answers: Bytes[];
  /** Bytes of output that the reader has already. */
  shown: number;
  /** Of standard input, not yet an answer. */
  rest: Bytes;
  isEnded: boolean;
  isWaiting: boolean;
};

export const newDialogue = (): Dialogue => ({
  ...{ calls: [], answers: [], shown: 0, rest: '', isEnded: false, isWaiting: false },
});

/** Interrupts a tool's function until there is an answer. */
export class AnswerNeeded extends Error {
  constructor() {
    super('answer needed');
  }
}

const CHUNK = 4096;
const MAX_ANSWER = 65_536;

/** Reads on, until there is a line. Undefined: there is. */
export function awaitAnswer(dialogue: Dialogue, sys: Syscalls): Wait | undefined {
  while (!dialogue.isEnded && !dialogue.rest.includes('\n') && dialogue.rest.length < MAX_ANSWER) {
    const bytes = readInput(sys);
    if (bytes === undefined) return waitToRead(0);
    if (bytes === '') dialogue.isEnded = true;
    dialogue.rest += bytes;
  }
  dialogue.isWaiting = false;
  return undefined;
}

/** A closed standard input answers nothing. */
function readInput(sys: Syscalls): Bytes | undefined {
  try {
    return sys.read(0, CHUNK);
  } catch (error) {
    errorCodeOf(error);
    return '';
  }
}

/** The next line, without its end; the end of the input is an empty one. Undefined: nothing has come yet. */
export function takeAnswer(dialogue: Dialogue): Bytes | undefined {
  const end = dialogue.rest.indexOf('\n');
  if (end < 0 && !dialogue.isEnded && dialogue.rest.length < MAX_ANSWER) return undefined;
  const answer = end < 0 ? dialogue.rest : dialogue.rest.slice(0, end);
  dialogue.rest = end < 0 ? '' : dialogue.rest.slice(end + 1);
  return answer;
}

/** Calls that say the same whenever they are made, or only cost. */
const REPEATED: ReadonlySet<PropertyKey> = new Set(['charge', 'setMemory', 'isTerminal']);

/**
 * System calls that are made once: the same calls in the same order get the same answers when the tool runs again.
 * `act` does so for a whole piece of work, of which only the result is kept.
 */
export function recordCalls(sys: Syscalls, calls: Call[]): { sys: Syscalls; act<T>(run: () => T): T } {
  let at = 0;
  let isInside = false;
  const act = <T>(run: () => T): T => {
    if (isInside) return run();
    const known = calls[at];
    if (known !== undefined) {
      at++;
      if (known.error !== undefined) throw new SystemError(known.error);
      return known.value as T;
    }
    const call: Call = {};
    isInside = true;
    try {
      call.value = run() as Plain;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      call.error = error.code;
      throw error;
    } finally {
      isInside = false;
      if ('value' in call || call.error !== undefined) calls[at++] = call;
    }
    return call.value as T;
  };
  const recorded = new Proxy(sys, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      const call = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      return REPEATED.has(key) ? call : (...args: unknown[]) => act(() => call(...args));
    },
  });
  return { sys: recorded, act };
}
