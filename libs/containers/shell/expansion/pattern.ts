import type { Bytes } from '../kernel.js';
import { fitsItem, StarPattern } from './star-pattern.js';

export type Item =
  | { readonly type: 'character'; readonly character: string }
  | { readonly type: 'any' }
  | { readonly type: 'star' }
  | {
      readonly type: 'set';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
      readonly classes: readonly RegExp[];
    }
  | { readonly type: 'group'; readonly operator: string; readonly alternatives: readonly Pattern[] };

/** A shell pattern, compiled. */
export type Pattern = readonly Item[];

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /\d/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /[ \t\n\r\f\v]/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  print: /[ -~]/,
  graph: /[!-~]/,
  cntrl: /[\0-\x1f\x7f]/,
  xdigit: /[\dA-Fa-f]/,
  word: /\w/,
};

/** Characters that would act in a pattern get a backslash. */
export const escapePattern = (text: Bytes): Bytes => text.replace(/[\\*?[\]()|!@+-]/g, '\\$&');

/** Whether a pattern has anything but characters that stand for themselves. */
export function hasWildcard(pattern: Bytes, isExtended: boolean): boolean {
  // Most fields of a long word are plain: they cost one look.
  if (!/[*?[(]/.test(pattern)) return false;
  const plain = pattern.includes('\\') ? pattern.replace(/\\[^]/g, '') : pattern;
  return /[*?]/.test(plain) || hasSet(plain) || (isExtended && /[@+!]\(/.test(plain));
}

/** A "[" without its "]" stands for itself. */
function hasSet(pattern: Bytes): boolean {
  const open = pattern.indexOf('[');
  return open >= 0 && pattern.includes(']', open + 1);
}

export function compilePattern(text: Bytes, isExtended: boolean): Pattern {
  return new Compilation(text, isExtended).sequence(false);
}

class Compilation {
  private at = 0;

  constructor(
    private readonly text: Bytes,
    private readonly isExtended: boolean,
  ) {}

  sequence(isInGroup: boolean): Pattern {
    const items: Item[] = [];
    while (this.at < this.text.length) {
      const character = this.text[this.at]!;
      if (isInGroup && (character === '|' || character === ')')) break;
      if (this.isExtended && '?*+@!'.includes(character) && this.text[this.at + 1] === '(') {
        const group = this.group(character);
        if (group) {
          items.push(group);
          continue;
        }
      }
      this.at++;
      if (character === '*') {
        if (items.at(-1)?.type !== 'star') items.push({ type: 'star' });
      } else if (character === '?') items.push({ type: 'any' });
      else if (character === '[') items.push(this.set());
      else if (character === '\\' && this.at < this.text.length) {
        items.push({ type: 'character', character: this.text[this.at++]! });
      } else items.push({ type: 'character', character });
    }
    return items;
  }

  private group(operator: string): Item | undefined {
    const start = this.at;
    this.at += 2;
    const alternatives: Pattern[] = [];
    for (;;) {
      alternatives.push(this.sequence(true));
      const end = this.text[this.at++];
      if (end === ')') return { type: 'group', operator, alternatives };
      if (end === undefined) {
        this.at = start;
        return undefined;
      }
    }
  }

  private set(): Item {
    const start = this.at;
    const isNegated = this.text[this.at] === '!' || this.text[this.at] === '^';
    if (isNegated) this.at++;
    const ranges: [string, string][] = [];
    const classes: RegExp[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const character = this.text[this.at];
      if (character === undefined) {
        this.at = start;
        return { type: 'character', character: '[' };
      }
      if (character === ']' && !isFirst) break;
      const named = character === '[' ? /^\[:(\w+):\]/.exec(this.text.slice(this.at, this.at + 12)) : null;
      if (named) {
        const expression = CLASSES[named[1]!];
        if (expression) classes.push(expression);
        this.at += named[0].length;
        continue;
      }
      const from = this.setCharacter();
      if (this.text[this.at] === '-' && this.text[this.at + 1] !== ']' && this.text[this.at + 1] !== undefined) {
        this.at++;
        ranges.push([from, this.setCharacter()]);
      } else ranges.push([from, from]);
    }
    this.at++;
    return { type: 'set', isNegated, ranges, classes };
  }

  private setCharacter(): string {
    if (this.text[this.at] === '\\' && this.at + 1 < this.text.length) this.at++;
    return this.text[this.at++]!;
  }
}

/** Bounds the work of one match of groups; a match that takes more does not match. */
const MAX_STATES = 200_000;
/** Texts that groups are looked for in. */
const MAX_GROUPED_TEXT = 20_000;

export interface MatchOptions {
  readonly ignoreCase?: boolean;
}

const STAR: Item = { type: 'star' };

/** Whether the pattern matches the whole text. */
export function matchPattern(pattern: Pattern, text: Bytes, options: MatchOptions = {}): boolean {
  const simple = StarPattern.of(pattern, options);
  return simple ? simple.matches(text) : endsOfGroups(pattern, text, 0, options).has(text.length);
}

/** The end of the shortest or the longest match that begins at `from`; -1: there is none. */
export function findEnd(pattern: Pattern, text: Bytes, from: number, isLongest: boolean): number {
  const simple = StarPattern.of(pattern, {});
  if (simple) return simple.endFrom(text, from, isLongest);
  const ends = endsOfGroups(pattern, text, from);
  return [...ends].reduce((a, b) => (a < 0 || b > a === isLongest ? b : a), -1);
}

/** The beginning of the shortest or the longest match that ends with the text; -1: there is none. */
export function findStart(pattern: Pattern, text: Bytes, isLongest: boolean): number {
  const simple = StarPattern.of(pattern, {});
  if (simple) return simple.startOfEnd(text, isLongest);
  if (!endsOfGroups([STAR, ...pattern], text, 0).has(text.length)) return -1;
  for (let i = 0; i <= text.length; i++) {
    const from = isLongest ? i : text.length - i;
    if (endsOfGroups(pattern, text, from).has(text.length)) return from;
  }
  return -1;
}

/** The leftmost match from a place, as long as it may be; it is not empty. */
export function findMatch(
  pattern: Pattern,
  text: Bytes,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  const simple = StarPattern.of(pattern, {});
  if (simple) {
    const found = simple.find(text, from);
    return found && found.end > found.start ? found : undefined;
  }
  // Trying every place of a text that matches nowhere takes the square of its length.
  if (endsOfGroups([STAR, ...pattern], text, from).size === 0) return undefined;
  for (let start = from; start < text.length; start++) {
    const end = findEnd(pattern, text, start, true);
    if (end > start) return { start, end };
  }
  return undefined;
}

const endsOfGroups = (pattern: Pattern, text: Bytes, from: number, options: MatchOptions = {}): Set<number> =>
  text.length > MAX_GROUPED_TEXT ? new Set() : new Matching(text, options).ends(pattern, from);

class Matching {
  private states = 0;

  constructor(
    private readonly text: Bytes,
    private readonly options: MatchOptions,
  ) {}

  /** Goes through the pattern item by item with the set of places that it may have come to. */
  ends(pattern: Pattern, from: number): Set<number> {
    let places = new Set([from]);
    for (const item of pattern) {
      if (places.size === 0 || this.states > MAX_STATES) return new Set();
      places = this.step(item, places);
      this.states += places.size;
    }
    return places;
  }

  private step(item: Item, places: Set<number>): Set<number> {
    const next = new Set<number>();
    if (item.type === 'star') {
      const least = [...places].reduce((a, b) => Math.min(a, b));
      for (let at = least; at <= this.text.length; at++) next.add(at);
      return next;
    }
    if (item.type === 'group') return this.group(item.operator, item.alternatives, places);
    for (const place of places) {
      const character = this.text[place];
      if (character !== undefined && fitsItem(item, character, this.options)) next.add(place + 1);
    }
    return next;
  }

  private group(operator: string, alternatives: readonly Pattern[], places: Set<number>): Set<number> {
    const once = (from: Set<number>): Set<number> => {
      const found = new Set<number>();
      for (const place of from) {
        for (const alternative of alternatives) for (const end of this.ends(alternative, place)) found.add(end);
        this.states += found.size;
      }
      return found;
    };
    if (operator === '@') return once(places);
    if (operator === '?') return new Set([...places, ...once(places)]);
    if (operator === '!') {
      const all = new Set<number>();
      for (const place of places) {
        const taken = once(new Set([place]));
        for (let end = place; end <= this.text.length; end++) if (!taken.has(end)) all.add(end);
        this.states += this.text.length;
      }
      return all;
    }
    const reached = new Set(operator === '*' ? places : []);
    for (let fresh = once(places); fresh.size > 0 && this.states <= MAX_STATES;) {
      const added = new Set([...fresh].filter((place) => !reached.has(place)));
      for (const place of added) reached.add(place);
      fresh = once(added);
    }
    return reached;
  }
}
