import type { Bytes } from '../../../engine/kernel/bytes.js';
import { BLOCK, decodeHeader, NO_EXTRA, padding, readExtra, type TarEntry, type TarExtra } from './tar-format.js';

/** How far an archive has been read, as plain data: it comes in pieces, and none of them is kept. */
export type Reading = {
  /** The beginning of a block. */
  rest: Bytes;
  /** Bytes of content that are still to come, and of zeros behind them. */
  left: number;
  padding: number;
  /** What is being read: an entry, something about the next one, or nothing of use. */
  within: 'entry' | 'L' | 'K' | 'x' | 'g' | '';
  extra: TarExtra;
  collected: Bytes;
  entries: number;
  hasGarbage: boolean;
  isOver: boolean;
};

export interface TarHandler {
  begin(entry: TarEntry): void;
  content(bytes: Bytes): void;
  finish(): void;
  /** A block is no header: the next one is looked for. `isFirst`: nothing was read before it. */
  garbage(isFirst: boolean): void;
}

/** Of names and pax' records. */
const MAX_EXTRA = 1 << 20;

export const newReading = (): Reading => ({
  ...{ rest: '', left: 0, padding: 0, within: '', extra: NO_EXTRA, collected: '' },
  ...{ entries: 0, hasGarbage: false, isOver: false },
});

/** Takes the next bytes of an archive. What follows its end is dropped. */
export function readPiece(reading: Reading, bytes: Bytes, handler: TarHandler): void {
  const data = reading.rest + bytes;
  reading.rest = '';
  for (let at = 0; !reading.isOver;) {
    if (reading.within !== '') {
      const piece = data.slice(at, at + reading.left);
      at += piece.length;
      if (!takeContent(reading, piece, handler)) return;
    } else if (reading.padding > 0) {
      const skipped = Math.min(reading.padding, data.length - at);
      reading.padding -= skipped;
      at += skipped;
      if (reading.padding > 0) return;
    } else if (data.length - at < BLOCK) {
      reading.rest = data.slice(at);
      return;
    } else {
      takeHeader(reading, data.slice(at, at + BLOCK), handler);
      at += BLOCK;
    }
  }
}

/** False: the entry goes on in the next piece. */
function takeContent(reading: Reading, piece: Bytes, handler: TarHandler): boolean {
  reading.left -= piece.length;
  const { within } = reading;
  if (within === 'entry') {
    if (piece !== '') handler.content(piece);
    if (reading.left === 0) handler.finish();
  } else if (within !== '') {
    if (reading.collected.length < MAX_EXTRA) reading.collected += piece;
    if (reading.left === 0) reading.extra = { ...reading.extra, ...readExtra(within, reading.collected) };
  }
  if (reading.left > 0) return false;
  reading.within = '';
  reading.collected = '';
  return true;
}

function takeHeader(reading: Reading, header: Bytes, handler: TarHandler): void {
  const block = decodeHeader(header, reading.extra);
  if (block === undefined) {
    if (!reading.hasGarbage) handler.garbage(reading.entries === 0);
    reading.hasGarbage = true;
  } else if (block.type === 'end') reading.isOver = true;
  else if (block.type === 'extra') expectContent(reading, block.flag, block.size);
  else {
    reading.extra = NO_EXTRA;
    reading.entries++;
    reading.hasGarbage = false;
    handler.begin(block.entry);
    expectContent(reading, 'entry', block.entry.size);
  }
}

function expectContent(reading: Reading, within: Reading['within'], size: number): void {
  reading.within = within;
  reading.left = size;
  reading.padding = padding(size);
}

/** How an archive has ended before its end; undefined: it is whole. */
export function faultOf({ rest, left, within, entries, isOver }: Reading): 'not-an-archive' | 'truncated' | undefined {
  if (isOver) return undefined;
  if (within !== '' && left > 0) return 'truncated';
  return entries === 0 && rest !== '' ? 'not-an-archive' : undefined;
}
