import { base32, base64 } from '@scure/base';
import { bytesOf, fromArray, textOf, toArray } from '../../../../engine/kernel/bytes.js';
import { describe, dump } from './json.js';
import { fail, isArray, type Json } from './values.js';

const asText = (value: Json): string => (typeof value === 'string' ? value : dump(value));

const HTML: Readonly<Record<string, string>> = {
  ...{ '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' },
};
const TSV: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', '\\': '\\\\' };

function joinRow(value: Json, what: string, separator: string, quote: (text: string) => string): string {
  if (!isArray(value)) return fail(`${describe(value)} cannot be ${what}-formatted, only array`);
  const cells = value.map((cell) => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quote(cell);
    if (typeof cell === 'number' || typeof cell === 'boolean') return dump(cell);
    return fail(`${describe(cell)} is not valid in a ${what} row`);
  });
  return cells.join(separator);
}

function shell(value: Json): string {
  const items = isArray(value) ? value : [value];
  const quoted = items.map((item) => {
    if (typeof item === 'string') return `'${item.replaceAll("'", "'\\''")}'`;
    if (isArray(item) || (item !== null && typeof item === 'object'))
      return fail(`${describe(item)} can not be escaped for shell`);
    return dump(item);
  });
  return quoted.join(' ');
}

function decode64(value: Json): string {
  const text = asText(value);
  const clean = text.replace(/=/g, '');
  if (clean.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(clean)) return fail(`${describe(text)} is not valid base64 data`);
  const padded = clean.padEnd(Math.ceil(clean.length / 4) * 4, '=');
  try {
    return textOf(fromArray(base64.decode(padded)));
  } catch {
    // Bits are left over in the last letter: they do not count.
    const whole = clean.slice(0, clean.length - (clean.length % 4));
    return textOf(fromArray(base64.decode(whole)));
  }
}

const FORMATS: Readonly<Record<string, (value: Json) => string>> = {
  '@text': asText,
  '@json': (value) => dump(value),
  '@csv': (value) => joinRow(value, 'csv', ',', (text) => `"${text.replaceAll('"', '""')}"`),
  '@tsv': (value) => joinRow(value, 'tsv', '\t', (text) => text.replace(/[\t\n\r\\]/g, (c) => TSV[c]!)),
  '@html': (value) => asText(value).replace(/[<>&'"]/g, (c) => HTML[c]!),
  '@sh': shell,
  '@base64': (value) => base64.encode(toArray(bytesOf(asText(value)))),
  '@base64d': decode64,
  '@base32': (value) => base32.encode(toArray(bytesOf(asText(value)))),
  '@base32d': (value) => textOf(fromArray(base32.decode(asText(value)))),
  '@uri': (value) =>
    bytesOf(asText(value)).replace(
      /[^A-Za-z0-9._~-]/g,
      (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    ),
};

export const isFormat = (name: string): boolean => FORMATS[name] !== undefined;

/** A value as `@base64`, `@csv` and their like print it. Throws JqFault. */
export function formatValue(name: string, value: Json): string {
  const format = FORMATS[name];
  if (format === undefined) return fail(`${name.slice(1)} is not a valid format`);
  try {
    return format(value);
  } catch (error) {
    if (name === '@base32d' && error instanceof Error && error.message !== 'jq error')
      return fail(`${describe(value)} is not valid base32 data`);
    throw error;
  }
}
