import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { NameAnswer, NameRecord } from '../../../engine/kernel/process/syscalls.js';

/** Columns of a line of dig, as tabs of eight reach them. */
const COLUMNS = { ttl: 24, class: 32, type: 40, data: 48 } as const;

function pad(text: string, column: number): string {
  if (text.length >= column) return `${text} `;
  return text + '\t'.repeat(Math.ceil((column - text.length) / 8));
}

/** Its width on a terminal. */
const widthOf = (text: string): number => {
  let width = 0;
  for (const char of text) width = char === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1;
  return width;
};

function join(parts: readonly (readonly [string, number])[], last: string): string {
  let text = '';
  for (const [part, column] of parts) {
    text += part;
    const width = widthOf(text);
    text = width >= column ? `${text} ` : text + pad('x'.repeat(width), column).slice(width);
  }
  return text + last;
}

/** One line of a section, with its newline. */
export const recordLine = ({ name, ttl, type, data }: NameRecord): Bytes =>
  `${join(
    [
      [name, COLUMNS.ttl],
      [String(ttl), COLUMNS.class],
      ['IN', COLUMNS.type],
      [type, COLUMNS.data],
    ],
    data,
  )}\n`;

export const questionLine = (name: Bytes, type: string): Bytes =>
  `${join(
    [
      [`;${name}`, COLUMNS.class],
      ['IN', COLUMNS.type],
    ],
    type,
  )}\n`;

const HEADER = 12;
const FIXED = 10;
const OPT_WITH_COOKIE = 23;

/** Bytes of a message whose names are not compressed, as CoreDNS sends it. */
export function messageSize(question: Bytes, { records, authority = [], additional = [] }: NameAnswer): number {
  const all = [...records, ...authority, ...additional];
  const sizes = all.map((record) => nameSize(record.name) + FIXED + dataSize(record));
  return HEADER + nameSize(question) + 4 + sizes.reduce((sum, size) => sum + size, 0) + OPT_WITH_COOKIE;
}

const nameSize = (name: string): number => (name === '.' ? 1 : name.replace(/\.$/, '').length + 2);

function dataSize({ type, data }: NameRecord): number {
  const words = data.split(' ');
  if (type === 'A') return 4;
  if (type === 'AAAA') return 16;
  if (type === 'SRV') return 6 + nameSize(words[3] ?? '.');
  if (type === 'SOA') return 20 + nameSize(words[0] ?? '.') + nameSize(words[1] ?? '.');
  return type === 'TXT' ? data.length - 1 : nameSize(data);
}
