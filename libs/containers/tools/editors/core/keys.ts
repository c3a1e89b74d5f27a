import { type Bytes, bytesOf, textOf } from '../../../../engine/kernel/bytes.js';

const SEQUENCES: Readonly<Record<string, string>> = {
  ...{ A: '<up>', B: '<down>', C: '<right>', D: '<left>', H: '<home>', F: '<end>' },
  ...{ '1~': '<home>', '2~': '<insert>', '3~': '<delete>', '4~': '<end>', '5~': '<pageup>', '6~': '<pagedown>' },
  ...{ '7~': '<home>', '8~': '<end>', '1;5C': '<ctrl-right>', '1;5D': '<ctrl-left>' },
};

/** Ends of escape sequences that no key has are dropped. */
const SEQUENCE = /^\x1b[[O]([\d;]{0,8})([A-Za-z~])/;
const isSequenceStart = (bytes: Bytes): boolean => /^\x1b\[[\d;]{0,8}$/.test(bytes);

/**
 * Bytes that were typed, as keys: characters, control characters, and names such as `<up>`. `rest` is the beginning of
 * a character of UTF-8, which goes on with the next bytes.
 */
export function readKeys(bytes: Bytes): { readonly keys: string[]; readonly rest: Bytes } {
  const keys: string[] = [];
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === '\x1b') {
      const left = bytes.slice(at, at + 12);
      const match = SEQUENCE.exec(left);
      const isKey = match !== null && (left[1] === '[' || (match[1] === '' && SEQUENCES[match[2]!] !== undefined));
      if (isKey) {
        const key = SEQUENCES[match[1]! + match[2]!];
        if (key !== undefined) keys.push(key);
        at += match[0].length;
      } else if (left.length < 12 && left.length > 2 && isSequenceStart(left)) return { keys, rest: left };
      else {
        keys.push('\x1b');
        at++;
      }
      continue;
    }
    const length = byte < '\x80' ? 1 : byte < '\xe0' ? 2 : byte < '\xf0' ? 3 : 4;
    if (byte >= '\xc0' && at + length > bytes.length) return { keys, rest: bytes.slice(at) };
    const piece = bytes.slice(at, at + length);
    const text = textOf(piece);
    const isText = bytesOf(text) === piece;
    keys.push(isText ? text : byte);
    at += isText ? length : 1;
  }
  return { keys, rest: '' };
}
