import { bytesOf } from '../../../engine/kernel/bytes.js';
import { GoObject, intOf, isMap, NO_VALUE, printFloat, printValue, typeName } from './values.js';

const MAX_WIDTH = 1_000;
const VERB = /%([-+# 0]*)(?:\[(\d+)\])?(\d+|\*)?(?:\.(\d+|\*)?)?(?:\[(\d+)\])?([^])?/g;
const DOT = /\./;

/** Models fmt.Sprintf, as far as verbs for what JSON can hold go. */
export function formatPrintf(format: string, args: readonly unknown[]): string {
  let next = 0;
  let isOrdered = true;
  const take = (): number => intOf(args[next++]) ?? 0;
  const text = format.replace(
    VERB,
    (whole, flags: string, first?: string, width?: string, digits?: string, second?: string, verb?: string) => {
      if (verb === undefined) return '%!(NOVERB)';
      if (verb === '%') return '%';
      const index = first ?? second;
      if (index !== undefined) {
        isOrdered = false;
        next = Number(index) - 1;
      }
      let size = width === '*' ? take() : Number(width ?? 0);
      const isLeft = flags.includes('-') || size < 0;
      size = Math.min(Math.abs(size), MAX_WIDTH);
      const precision =
        digits === '*' ? take() : digits === undefined ? (DOT.test(whole) ? 0 : undefined) : Number(digits);
      if (next >= args.length || next < 0) return index === undefined ? `%!${verb}(MISSING)` : `%!${verb}(BADINDEX)`;
      const shown = formatOne(verb, args[next++], flags, precision);
      if (isLeft) return shown.padEnd(size);
      if (flags.includes('0') && /^[-+]?\d/.test(shown)) {
        const sign = /^[-+]/.exec(shown)?.[0] ?? '';
        return sign + shown.slice(sign.length).padStart(size - sign.length, '0');
      }
      return shown.padStart(size);
    },
  );
  const extra = isOrdered ? args.slice(next).map((one) => `${typeName(one)}=${printValue(one)}`) : [];
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

const BASES: Readonly<Record<string, number>> = { d: 10, x: 16, X: 16, o: 8, b: 2 };

function formatOne(verb: string, value: unknown, flags: string, precision: number | undefined): string {
  const wrong = (): string =>
    value === null || value === undefined || value === NO_VALUE
      ? `%!${verb}(<nil>)`
      : `%!${verb}(${typeName(value)}=${printValue(value)})`;
  const plus = (text: string): string => (flags.includes('+') && !text.startsWith('-') ? `+${text}` : text);
  if (verb === 'v') return printValue(value);
  if (verb === 'T') return typeName(value);
  const inner = (one: unknown): string => formatOne(verb, one, flags, precision);
  if (Array.isArray(value)) return `[${value.map(inner).join(' ')}]`;
  if (isMap(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${inner(key)}:${inner(value[key])}`)
      .join(' ')}]`;
  const whole = intOf(value);
  switch (verb) {
    case 's':
      if (value instanceof GoObject) return printValue(value);
      return typeof value !== 'string'
        ? wrong()
        : precision === undefined
          ? value
          : [...value].slice(0, precision).join('');
    case 'q':
      return typeof value === 'string' ? JSON.stringify(value) : wrong();
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong();
    case 'c':
      return whole === undefined ? wrong() : String.fromCodePoint(Math.min(Math.max(whole, 0), 0x10ffff));
    case 'd':
    case 'x':
    case 'X':
    case 'o':
    case 'b': {
      const text =
        whole?.toString(BASES[verb]) ?? (typeof value === 'string' && /x/i.test(verb) ? hexOf(value) : undefined);
      return text === undefined ? wrong() : plus(verb === 'X' ? text.toUpperCase() : text);
    }
    case 'f':
    case 'F':
      return typeof value === 'number' ? plus(value.toFixed(Math.min(precision ?? 6, 100))) : wrong();
    case 'e':
      return typeof value === 'number'
        ? plus(value.toExponential(Math.min(precision ?? 6, 100)).replace(/e([-+])(\d)$/, 'e$10$2'))
        : wrong();
    case 'g':
      return typeof value === 'number' ? plus(printFloat(value)) : wrong();
    default:
      return wrong();
  }
}

const hexOf = (text: string): string =>
  [...bytesOf(text)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
