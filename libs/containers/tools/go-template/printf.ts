import { intOf, NO_VALUE, printFloat, printValue, typeName } from './values.js';

const MAX_WIDTH = 1_000;
const VERB = /%([-+# 0]*)(\d*)(?:\.(\d*))?([^])?/g;

/** Models fmt.Sprintf, as far as verbs for what JSON can hold go. */
export function formatPrintf(format: string, args: readonly unknown[]): string {
  let next = 0;
  const text = format.replace(
    VERB,
    (_whole, flags: string, width: string, precision: string | undefined, verb?: string) => {
      if (verb === undefined) return '%!(NOVERB)';
      if (verb === '%') return '%';
      if (next >= args.length) return `%!${verb}(MISSING)`;
      const shown = formatOne(verb, args[next++], flags, precision === undefined ? undefined : Number(precision));
      const size = Math.min(Number(width || 0), MAX_WIDTH);
      if (flags.includes('-')) return shown.padEnd(size);
      if (flags.includes('0') && /^[-+]?\d/.test(shown)) {
        const sign = /^[-+]/.exec(shown)?.[0] ?? '';
        return sign + shown.slice(sign.length).padStart(size - sign.length, '0');
      }
      return shown.padStart(size);
    },
  );
  const extra = args.slice(next).map((one) => `${typeName(one)}=${printValue(one)}`);
  return extra.length === 0 ? text : `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatOne(verb: string, value: unknown, flags: string, precision: number | undefined): string {
  const wrong = (): string =>
    value === null || value === undefined || value === NO_VALUE
      ? `%!${verb}(<nil>)`
      : `%!${verb}(${typeName(value)}=${printValue(value)})`;
  const plus = (text: string): string => (flags.includes('+') && !text.startsWith('-') ? `+${text}` : text);
  switch (verb) {
    case 'v':
      return printValue(value);
    case 's':
      if (typeof value === 'string') return precision === undefined ? value : [...value].slice(0, precision).join('');
      return Array.isArray(value)
        ? `[${value.map((one) => formatOne(verb, one, flags, precision)).join(' ')}]`
        : wrong();
    case 'q':
      return typeof value === 'string' ? JSON.stringify(value) : wrong();
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong();
    case 'T':
      return typeName(value);
    case 'd':
    case 'x':
    case 'o':
    case 'b':
      if (intOf(value) === undefined) return wrong();
      return plus(intOf(value)!.toString({ d: 10, x: 16, o: 8, b: 2 }[verb]));
    case 'f':
      return typeName(value) === 'float64' ? plus((value as number).toFixed(Math.min(precision ?? 6, 100))) : wrong();
    case 'g':
      return typeName(value) === 'float64' ? plus(printFloat(value as number)) : wrong();
    default:
      return wrong();
  }
}
