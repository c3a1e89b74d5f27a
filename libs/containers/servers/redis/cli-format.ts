import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Reply } from './resp.js';

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\x07': '\\a' },
};

const quote = (text: Bytes): Bytes =>
  `"${text.replace(/["\\\0-\x1f\x7f-\xff]/g, (char) => ESCAPES[char] ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;

/** A reply as redis-cli prints it to a terminal, with its line's end. */
export function formatForTerminal(reply: Reply, prefix = ''): Bytes {
  if (reply.type === 'nil') return '(nil)\n';
  if (reply.type === 'array') return formatItems(reply.items, prefix);
  if (reply.type === 'error') return `(error) ${reply.text}\n`;
  if (reply.type === 'bulk') return `${quote(reply.text)}\n`;
  if (reply.type === 'integer') return `(integer) ${reply.text}\n`;
  return `${reply.text}\n`;
}

function formatItems(items: readonly Reply[], prefix: string): Bytes {
  if (items.length === 0) return '(empty array)\n';
  const width = String(items.length).length;
  const inner = `${prefix}${' '.repeat(width + 2)}`;
  return items
    .map((item, i) => `${i === 0 ? '' : prefix}${String(i + 1).padStart(width)}) ${formatForTerminal(item, inner)}`)
    .join('');
}

/** As it prints it to anything else; an error has an empty line behind it. */
export const formatRaw = (reply: Reply): Bytes => `${rawText(reply)}\n`;

function rawText(reply: Reply): Bytes {
  if (reply.type === 'nil') return '';
  if (reply.type === 'array') return reply.items.map(rawText).join('\n');
  return reply.type === 'error' ? `${reply.text}\n` : reply.text;
}
