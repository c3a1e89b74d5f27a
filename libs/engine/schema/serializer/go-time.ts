import { microTimestamp, timestamp } from '../../machinery/time/time.js';

const RFC3339 = '2006-01-02T15:04:05Z07:00';
const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';
/** Longer texts are no times; the message need not repeat them. */
const MAX_TEXT = 200;
const PLAIN = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
const MICRO = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;

/** Parts of Go's layout: how the layout writes it, what matches, the largest value and its name. */
const PARTS: readonly (readonly [layout: string, pattern: RegExp, max?: number, name?: string])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, 12, 'month'],
  ['-', /^-/],
  ['02', /^\d\d/, 31, 'day'],
  ['T', /^T/],
  ['15', /^\d\d/, 23, 'hour'],
  [':', /^:/],
  ['04', /^\d\d/, 59, 'minute'],
  [':', /^:/],
  ['05', /^\d\d/, 59, 'second'],
];
const FRACTION = /^[.,]\d+/;
const ZONE = /^(Z|[+-]\d\d:\d\d)/;

/** metav1.Time as the API server prints it ('2026-11-21T02:37:00Z'), or Go's error. */
export const parseTime = (text: string): { value: string } | { error: string } =>
  PLAIN.test(text) ? { value: text } : parse(text, RFC3339, (at) => timestamp(at));

/** metav1.MicroTime: '2026-11-21T02:37:00.123456Z'. */
export function parseMicroTime(text: string): { value: string } | { error: string } {
  if (MICRO.test(text)) return { value: text };
  return parse(text, RFC3339_MICRO, (at, micros) => microTimestamp(at).replace(/\.\d+Z$/, `.${micros}Z`));
}

function parse(
  text: string,
  layout: string,
  print: (at: number, micros: string) => string,
): { value: string } | { error: string } {
  if (text.length > MAX_TEXT) return parse(text.slice(0, MAX_TEXT), layout, print);
  const fault = (rest: string, part: string): { error: string } => ({
    error: `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`,
  });
  let rest = text;
  for (const [part, pattern, max, name] of PARTS) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return fault(rest, part);
    if (max !== undefined && (Number(found) > max || (Number(found) === 0 && max <= 31 && max !== 23)))
      return { error: `parsing time ${JSON.stringify(text)}: ${name} out of range` };
    rest = rest.slice(found.length);
  }
  const fraction = FRACTION.exec(rest)?.[0] ?? '';
  if (layout === RFC3339_MICRO && fraction.length !== 7) return fault(rest, '.000000');
  rest = rest.slice(fraction.length);
  const zone = ZONE.exec(rest)?.[0];
  if (zone === undefined) return fault(rest, 'Z07:00');
  if (zone.length < rest.length)
    return { error: `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest.slice(zone.length))}` };
  const at = Date.parse(text.slice(0, 19) + zone);
  return Number.isNaN(at)
    ? { error: `parsing time ${JSON.stringify(text)}: day out of range` }
    : { value: print(at, (fraction.slice(1) + '000000').slice(0, 6)) };
}
