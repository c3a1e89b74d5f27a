import type { Bytes } from '../kernel.js';
import type { Item, MatchOptions, Pattern } from './pattern.js';

/** Items that each stand for one character. */
type Single = Exclude<Item, { readonly type: 'star' | 'group' }>;

/** What stands between two stars. `literal`: it is these characters and nothing else. */
interface Part {
  readonly items: readonly Single[];
  readonly literal: Bytes | undefined;
}

/** A longer literal is looked for here: the engine's own search takes the square of its length for some texts. */
const SHORT = 16;
/** Comparisons of one search; one that takes more finds nothing. */
const MAX_COMPARISONS = 10_000_000;

/**
 * A pattern without groups, found in linear time for what patterns are used for. What is between the stars is placed as
 * far to the left as it goes, or to the right: no other place could make more of the rest match.
 */
export class StarPattern {
  private readonly parts: readonly Part[];
  private left = MAX_COMPARISONS;

  /** Undefined: the pattern has groups. */
  static of(pattern: Pattern, options: MatchOptions): StarPattern | undefined {
    return pattern.some(({ type }) => type === 'group') ? undefined : new StarPattern(pattern, options);
  }

  private constructor(
    pattern: Pattern,
    private readonly options: MatchOptions,
  ) {
    const parts: Single[][] = [[]];
    for (const item of pattern) {
      if (item.type === 'star') parts.push([]);
      else if (item.type !== 'group') parts.at(-1)!.push(item);
    }
    this.parts = parts.map((items) => ({ items, literal: literalOf(items, options) }));
  }

  matches(text: Bytes): boolean {
    const [first, last] = [this.parts[0]!, this.parts.at(-1)!];
    if (this.parts.length === 1) return text.length === first.items.length && this.isAt(first, text, 0);
    const end = text.length - last.items.length;
    return this.isAt(first, text, 0) && this.isAt(last, text, end) && this.placeMiddle(text, first.items.length) <= end;
  }

  /** Where a match ends that begins at a place; -1: nowhere. */
  endFrom(text: Bytes, from: number, isLongest: boolean): number {
    const [first, last] = [this.parts[0]!, this.parts.at(-1)!];
    if (!this.isAt(first, text, from)) return -1;
    if (this.parts.length === 1) return from + first.items.length;
    const least = this.placeMiddle(text, from + first.items.length);
    if (least > text.length) return -1;
    const at = isLongest ? this.findLast(last, text, least, text.length) : this.findFirst(last, text, least);
    return at < 0 ? -1 : at + last.items.length;
  }

  /** Where a match begins that ends with the text; -1: nowhere. */
  startOfEnd(text: Bytes, isLongest: boolean): number {
    const [first, last] = [this.parts[0]!, this.parts.at(-1)!];
    const end = text.length - last.items.length;
    if (!this.isAt(last, text, end)) return -1;
    if (this.parts.length === 1) return end;
    if (!isLongest) return this.placeBackwards(text, end);
    const start = this.findFirst(first, text, 0);
    return start >= 0 && this.placeMiddle(text, start + first.items.length) <= end ? start : -1;
  }

  /** The leftmost match from a place, as long as it may be. */
  find(text: Bytes, from: number): { readonly start: number; readonly end: number } | undefined {
    const start = this.findFirst(this.parts[0]!, text, from);
    const end = start < 0 ? -1 : this.endFrom(text, start, true);
    return end < 0 ? undefined : { start, end };
  }

  /** The end of the parts between the first and the last star, each as far to the left as it goes; Infinity: none. */
  private placeMiddle(text: Bytes, from: number): number {
    let at = from;
    for (let i = 1; i < this.parts.length - 1; i++) {
      const found = this.findFirst(this.parts[i]!, text, at);
      if (found < 0) return Infinity;
      at = found + this.parts[i]!.items.length;
    }
    return at;
  }

  /** The beginning of all parts before the last star, each as far to the right as it goes. */
  private placeBackwards(text: Bytes, before: number): number {
    let at = before;
    for (let i = this.parts.length - 2; i >= 0 && at >= 0; i--) at = this.findLast(this.parts[i]!, text, 0, at);
    return at;
  }

  private findFirst(part: Part, text: Bytes, from: number): number {
    if (part.items.length === 0) return from <= text.length ? from : -1;
    if (part.literal !== undefined && part.literal.length <= SHORT) return text.indexOf(part.literal, from);
    for (let at = from; at + part.items.length <= text.length && this.left > 0; at++)
      if (this.isAt(part, text, at)) return at;
    return -1;
  }

  /** The last place at which a part ends by `before`. */
  private findLast(part: Part, text: Bytes, from: number, before: number): number {
    const { literal } = part;
    const last = before - part.items.length;
    if (last < from) return -1;
    if (literal !== undefined && literal.length <= SHORT) {
      const found = text.lastIndexOf(literal, last);
      return found < from ? -1 : found;
    }
    for (let at = last; at >= from && this.left > 0; at--) if (this.isAt(part, text, at)) return at;
    return -1;
  }

  private isAt({ items, literal }: Part, text: Bytes, at: number): boolean {
    if (at < 0 || at + items.length > text.length) return false;
    if (literal !== undefined && literal.length <= SHORT) return text.startsWith(literal, at);
    for (let i = 0; i < items.length; i++) {
      this.left--;
      if (!fitsItem(items[i]!, text[at + i]!, this.options)) return false;
    }
    return true;
  }
}

function literalOf(items: readonly Single[], { ignoreCase }: MatchOptions): Bytes | undefined {
  if (ignoreCase) return undefined;
  let text = '';
  for (const item of items) {
    if (item.type !== 'character') return undefined;
    text += item.character;
  }
  return text;
}

/** Whether an item stands for a character. */
export function fitsItem(item: Single, character: string, { ignoreCase }: MatchOptions): boolean {
  if (item.type === 'any') return true;
  if (item.type === 'character') {
    return ignoreCase ? item.character.toLowerCase() === character.toLowerCase() : item.character === character;
  }
  const variants = ignoreCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
  const isIn = variants.some(
    (one) => item.ranges.some(([from, to]) => one >= from && one <= to) || item.classes.some((each) => each.test(one)),
  );
  return isIn !== item.isNegated;
}
