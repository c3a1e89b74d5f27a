import type { URLSearchParamsLike } from '../../machinery/kind.js';
import { badRequest } from '../../machinery/meta/status.js';
import { decodeUtf8Lossy, encodeUtf8 } from '../../machinery/utf8.js';

/** As Go's urlmaxqueryparams. */
const MAX_PARAMETERS = 10_000;

/** The parameters of a URL, decoded. */
export class Query implements URLSearchParamsLike {
  private readonly values = new Map<string, string[]>();

  constructor(text: string) {
    if (text === '') return;
    const pairs = text.split('&', MAX_PARAMETERS + 1);
    if (pairs.length > MAX_PARAMETERS) throw badRequest('too many query parameters');
    for (const pair of pairs) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      // Go drops what is not escaped well or has a semicolon, and keeps the rest.
      if (BAD_ESCAPE.test(pair) || pair.includes(';')) continue;
      const name = unescapeText(at < 0 ? pair : pair.slice(0, at));
      const value = at < 0 ? '' : unescapeText(pair.slice(at + 1));
      const list = this.values.get(name);
      if (list) list.push(value);
      else this.values.set(name, [value]);
    }
  }

  get(name: string): string | null {
    return this.values.get(name)?.[0] ?? null;
  }

  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  /** '' when absent. */
  text(name: string): string {
    return this.get(name) ?? '';
  }

  /**
   * As Go's conversion of a query parameter: 'false' and '0' (any case) are false, all else that is present is true.
   */
  flag(name: string): boolean {
    const value = this.get(name);
    return value !== null && !/^(false|0)$/i.test(value);
  }

  /** Throws 400, as Go's strconv does. */
  integer(name: string): number | undefined {
    const value = this.get(name);
    if (value === null) return undefined;
    if (!/^[+-]?\d{1,18}$/.test(value))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${syntaxOrRange(value)}`);
    return Number(value);
  }
}

export const BAD_ESCAPE = /%(?![0-9a-fA-F]{2}).{0,2}/;

/** What Go's strconv says of a text that is not a number in its range. */
const syntaxOrRange = (text: string): string => (/^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax');

/** A path's parts, decoded before they are split, as Go's URL.Path. Throws 400. */
export const segmentsOf = (path: string): string[] =>
  unescapeText(path, false)
    .split('/')
    .filter((s) => s !== '');

/** Percent-decodes one part of a URL; bytes that are not UTF-8 become U+FFFD. Throws 400. */
export function unescapeText(text: string, plus = true): string {
  if (!text.includes('%') && !(plus && text.includes('+'))) return text;
  const spaced = plus ? text.replaceAll('+', ' ') : text;
  if (BAD_ESCAPE.test(spaced)) throw badRequest(`invalid URL escape ${JSON.stringify(BAD_ESCAPE.exec(spaced)![0])}`);
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeUtf8Lossy(escapedBytes(encodeUtf8(spaced)));
  }
}

const PERCENT = 0x25;

function escapedBytes(text: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== PERCENT) out.push(text[i]!);
    else out.push(Number.parseInt(String.fromCharCode(text[++i]!, text[++i]!), 16));
  }
  return Uint8Array.from(out);
}
