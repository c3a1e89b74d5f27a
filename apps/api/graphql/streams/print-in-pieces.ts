import { setImmediate } from 'node:timers/promises';

/** After so many characters the event loop goes round. */
const PIECE_CHARACTERS = 128 * 1024;
/** Levels whose members are printed one by one: of the result, of `data`, of a root field, of a list in it. */
const LEVELS = 4;

/** JSON text of an operation's result, which may be many lists of objects. */
export async function printInPieces(result: object): Promise<string> {
  let text = '';
  let printed = 0;
  for (const piece of piecesOf(result, LEVELS)) {
    text += piece;
    if (text.length - printed < PIECE_CHARACTERS) continue;
    printed = text.length;
    await setImmediate();
  }
  return `${text}\n`;
}

function* piecesOf(value: unknown, levels: number): Iterable<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  let separator = isList ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* piecesOf(member, levels - 1);
    separator = ',';
  }
  const end = isList ? ']' : '}';
  yield separator === ',' ? end : `${separator}${end}`;
}
