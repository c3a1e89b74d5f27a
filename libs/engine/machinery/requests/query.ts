import type { URLSearchParamsLike } from '../kind.js';
import { badRequest } from '../meta/status.js';
import { hasBadEscape, unescapeQuery } from './unescape.js';

/** As Go's urlmaxqueryparams. */
const MAX_PARAMETERS = 10_000;

/** The parameters of a URL's query. Throws 400: too many. */
export class Query implements URLSearchParamsLike {
  private readonly values = new Map<string, string[]>();

  constructor(text: string) {
    if (text === '') return;
    const pairs = text.split('&', MAX_PARAMETERS + 1);
    if (pairs.length > MAX_PARAMETERS) throw badRequest('too many query parameters');
    for (const pair of pairs) {
      if (pair === '') continue;
      const at = pair.indexOf('=');
      // Go drops pairs with a bad escape or a semicolon, and keeps the others.
      if (hasBadEscape(pair) || pair.includes(';')) continue;
      const name = unescapeQuery(at < 0 ? pair : pair.slice(0, at));
      const value = at < 0 ? '' : unescapeQuery(pair.slice(at + 1));
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

  /** 'false' and '0' in any case are false, as is absence; all else is true. Models Convert_Slice_string_To_bool. */
  flag(name: string): boolean {
    const value = this.get(name);
    return value !== null && !/^(false|0)$/i.test(value);
  }

  /** Undefined when absent. Throws 400 in the words of Go's strconv. */
  integer(name: string): number | undefined {
    const value = this.get(name);
    if (value === null) return undefined;
    if (!/^[+-]?\d{1,18}$/.test(value))
      throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${parseIntError(value)}`);
    return Number(value);
  }
}

/** The error of Go's strconv for a text that is no 64-bit integer. */
const parseIntError = (text: string): string => (/^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax');
