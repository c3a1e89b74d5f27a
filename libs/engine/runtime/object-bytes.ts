import { isObject, own, type KubeObject } from '../machinery/meta/object.js';

type Fields = Readonly<Record<string, unknown>>;

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const NO_FIELDS: Fields = {};
const NO_ITEMS: readonly unknown[] = [];
/** The brackets of an object or an array. */
const BRACKETS = 2;

/** Bytes of a JSON value's text in UTF-8. The text itself, which nobody needs, would cost twice as much. */
export function encodedSize(value: unknown): number {
  if (typeof value === 'string') return sizeOfText(value);
  if (Array.isArray(value)) return BRACKETS + growthOfItems(NO_ITEMS, value);
  return isObject(value) ? BRACKETS + growthOfFields(NO_FIELDS, value) : String(value).length;
}

/** By how many bytes the text of `next` is longer than that of `old`. What both share is not looked at. */
export function encodedGrowth(old: unknown, next: unknown): number {
  if (old === next) return 0;
  if (Array.isArray(old) && Array.isArray(next)) return growthOfItems(old, next);
  if (isObject(old) && isObject(next)) return growthOfFields(old, next);
  return encodedSize(next) - encodedSize(old);
}

function growthOfFields(old: Fields, next: Fields): number {
  let [growth, fields, oldFields] = [0, 0, 0];
  for (const name in next) {
    const value = next[name];
    if (value === undefined) continue;
    fields++;
    const before = own(old, name);
    if (before === undefined) growth += sizeOfField(name, value);
    else if (before !== value) growth += encodedGrowth(before, value);
  }
  for (const name in old) {
    if (old[name] === undefined) continue;
    oldFields++;
    if (own(next, name) === undefined) growth -= sizeOfField(name, old[name]);
  }
  return growth + countCommas(fields) - countCommas(oldFields);
}

/** `"name":value` */
const sizeOfField = (name: string, value: unknown): number => sizeOfText(name) + 1 + encodedSize(value);
const countCommas = (values: number): number => Math.max(0, values - 1);

function growthOfItems(old: readonly unknown[], next: readonly unknown[]): number {
  const common = Math.min(old.length, next.length);
  let growth = countCommas(next.length) - countCommas(old.length);
  for (let i = 0; i < common; i++) growth += encodedGrowth(old[i], next[i]);
  for (let i = common; i < next.length; i++) growth += encodedSize(next[i]);
  for (let i = common; i < old.length; i++) growth -= encodedSize(old[i]);
  return growth;
}

/** Beyond so many characters, the regular expression's and JSON's loops are faster than ours. */
const SHORT_TEXT = 64;
const PLAIN = /^[ !#-[\]-~]*$/;
const BEYOND_ASCII = /[^ -~]/;

function sizeOfText(text: string): number {
  const isPlain = text.length <= SHORT_TEXT ? hasPlainCharacters(text) : PLAIN.test(text);
  return isPlain ? text.length + 2 : utf8Length(JSON.stringify(text));
}

/** Whether each character is one byte of JSON. */
function hasPlainCharacters(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return false;
  }
  return true;
}

/**
 * Counts the bytes of live objects. An object is measured when the total is read: most states of an object that is
 * being worked on are replaced before. Of an object that has replaced another, only what they do not share is measured.
 */
export class ObjectBytes {
  private counted = 0;
  /** The objects that are not counted yet, each with the one that is counted in its place. */
  private readonly uncounted = new Map<KubeObject, KubeObject | undefined>();

  /** Adds objects whose size together is known. */
  addKnown(bytes: number): void {
    this.counted += bytes;
  }

  /** An object has been created without `old`, and deleted without `next`. */
  replace(old: KubeObject | undefined, next: KubeObject | undefined): void {
    let counted = old;
    if (old && this.uncounted.has(old)) {
      counted = this.uncounted.get(old);
      this.uncounted.delete(old);
    }
    if (next) this.uncounted.set(next, counted);
    else if (counted) this.counted -= encodedSize(counted);
  }

  /** The size of a new object that is known already: it need not be measured. */
  record(object: KubeObject, bytes: number): void {
    const isNew = this.uncounted.has(object) && this.uncounted.get(object) === undefined;
    if (!isNew) return;
    this.uncounted.delete(object);
    this.counted += bytes;
  }

  get total(): number {
    if (this.uncounted.size === 0) return this.counted;
    for (const [object, counted] of this.uncounted)
      this.counted += counted ? encodedGrowth(counted, object) : encodedSize(object);
    this.uncounted.clear();
    return this.counted;
  }
}

/** The bytes of JSON text, which has no control characters. */
function utf8Length(text: string): number {
  let length = text.length;
  if (!BEYOND_ASCII.test(text)) return length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate is half of a character of four bytes.
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return length;
}
