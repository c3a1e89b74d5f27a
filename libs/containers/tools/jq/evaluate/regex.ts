import { RE2JS } from 're2js';
import { describe } from '../values/json.js';
import { fail, type Json } from '../values/values.js';

const MAX_PATTERN = 20_000;
const MAX_MATCHES = 100_000;

/** All matches as `match` gives them. Offsets count code points. Expressions are RE2's: no back references. */
export function findMatches(text: Json, pattern: Json, flags: Json, onlyTests: boolean): Json {
  if (typeof text !== 'string') return fail(`${describe(text)} cannot be matched, as it is not a string`);
  if (typeof pattern !== 'string') return fail(`${describe(pattern)} cannot be matched, as it is not a string`);
  if (flags !== null && typeof flags !== 'string') return fail(`${describe(flags)} is not a string`);
  const letters = flags ?? '';
  const regex = compile(pattern, letters);
  if (onlyTests) return regex.matcher(text).find();
  const names = new Map(Object.entries(regex.namedGroups()).map(([name, index]) => [index, name]));
  const matcher = regex.matcher(text);
  const found: Json[] = [];
  const isEmptyIgnored = letters.includes('n');
  for (let from = 0; from <= text.length && matcher.find(from) && found.length < MAX_MATCHES;) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (!(isEmptyIgnored && start === end)) found.push(matchOf(text, matcher, names, regex.groupCount()));
    if (!letters.includes('g')) break;
    from = end > start ? end : end + 1;
  }
  return found;
}

function compile(pattern: string, letters: string): RE2JS {
  const strange = [...letters].find((letter) => !'gimnpslx'.includes(letter));
  if (strange !== undefined) return fail(`${letters} is not a valid modifier string`);
  let bits = RE2JS.LOOKBEHINDS;
  if (letters.includes('i')) bits |= RE2JS.CASE_INSENSITIVE;
  if (letters.includes('s') || letters.includes('p')) bits |= RE2JS.DOTALL;
  const text = letters.includes('x') ? withoutSpace(pattern) : pattern;
  if (text.length > MAX_PATTERN) return fail(`${pattern.slice(0, 50)}... (at offset 0) is not a valid regex: too big`);
  try {
    return RE2JS.compile(text, bits);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(`${pattern} (at offset 0) is not a valid regex: ${reason}`);
  }
}

/** `x`: spaces and comments do not count. */
const withoutSpace = (pattern: string): string => pattern.replace(/\\[^]|#[^\n]*|\s/g, (c) => (c[0] === '\\' ? c : ''));

const lengthOf = (text: string): number => [...text].length;

function matchOf(
  text: string,
  matcher: ReturnType<RE2JS['matcher']>,
  names: ReadonlyMap<number, string>,
  groupCount: number,
): Json {
  const part = (group: number): [string, Json][] => {
    const start = matcher.start(group);
    if (start < 0) {
      return [
        ['offset', -1],
        ['length', 0],
        ['string', null],
      ];
    }
    const string = text.slice(start, matcher.end(group));
    return [
      ['offset', lengthOf(text.slice(0, start))],
      ['length', lengthOf(string)],
      ['string', string],
    ];
  };
  const captures = Array.from(
    { length: groupCount },
    (_, i) => new Map<string, Json>([...part(i + 1), ['name', names.get(i + 1) ?? null]]),
  );
  return new Map<string, Json>([...part(0), ['captures', captures]]);
}
