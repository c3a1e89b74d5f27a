import { Readable } from 'node:stream';

/** Text of more characters is sent in pieces of so many. */
export const PIECE_CHARACTERS = 512 * 1024;

/**
 * The bytes, in UTF-8, of texts that follow one another. `nextTurn` is asked before each piece, and resolves when it
 * may be encoded.
 */
export function encodeInPieces(texts: readonly string[], nextTurn: () => Promise<void>): Readable {
  async function* encode(): AsyncGenerator<Buffer> {
    for (const text of joinShort(texts))
      for (const piece of piecesOf(text)) {
        await nextTurn();
        yield Buffer.from(piece);
      }
  }
  return Readable.from(encode(), { objectMode: false, highWaterMark: PIECE_CHARACTERS });
}

/** Texts that are short have their turn together. */
function* joinShort(texts: readonly string[]): Iterable<string> {
  let joined = '';
  for (const text of texts) {
    if (joined !== '' && joined.length + text.length > PIECE_CHARACTERS) {
      yield joined;
      joined = '';
    }
    joined += text;
  }
  yield joined;
}

export function* piecesOf(text: string): Iterable<string> {
  for (let start = 0, end: number; start < text.length; start = end) {
    end = pieceEnd(text, start);
    yield text.slice(start, end);
  }
}

/** A pair of surrogates is one character of UTF-8. */
function pieceEnd(text: string, start: number): number {
  const end = start + PIECE_CHARACTERS;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
