import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';

/**
 * What a broker and its tools say to each other: JSON in frames that begin with their length, in the place of Kafka's
 * own protocol, which nothing else here speaks.
 */
export type Message = { [field: string]: Plain };

const MAX_FRAME = 4 << 20;

export function frame(message: Message): Bytes {
  const body = JSON.stringify(message);
  const length = String.fromCharCode(
    body.length >>> 24,
    (body.length >> 16) & 255,
    (body.length >> 8) & 255,
    body.length & 255,
  );
  return length + body;
}

/** The first message of what has come; undefined: it is not whole, 'bad': it is none. */
export function takeMessage(
  received: Bytes,
): { readonly message: Message; readonly length: number } | 'bad' | undefined {
  if (received.length < 4) return undefined;
  let size = 0;
  for (let i = 0; i < 4; i++) size = size * 256 + received.charCodeAt(i);
  if (size > MAX_FRAME) return 'bad';
  if (received.length < 4 + size) return undefined;
  try {
    const message = JSON.parse(received.slice(4, 4 + size)) as unknown;
    if (typeof message !== 'object' || message === null || Array.isArray(message)) return 'bad';
    return { message: message as Message, length: 4 + size };
  } catch {
    // Another program's bytes.
    return 'bad';
  }
}

/** Fields of a message; what is not there, or is something else, reads as '' or a number of the caller's. */
export function textIn(message: Message, field: string): Bytes {
  const value = message[field];
  return typeof value === 'string' ? value : '';
}

export function numberIn(message: Message, field: string, other: number): number {
  const value = message[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : other;
}
