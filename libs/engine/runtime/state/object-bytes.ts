import { isObject, own, type KubeObject } from '../../machinery/meta/object.js';
import { SeededRandom } from '../../machinery/random.js';

type Fields = Readonly<Record<string, unknown>>;

const UNDEFINED = 'undefined';
/** An object, its fields, and what stands in them: what two revisions share stands there. */
const SHARED_LEVELS = 3;
const SAMPLED_ONE_IN = 16;
const BEYOND_ASCII = /[^ -~]/;

/** Bytes of a JSON value's text in UTF-8. A text is written faster than a function of ours walks the value. */
export function encodedSize(value: unknown): number {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? UNDEFINED.length : utf8Length(text);
}

/** By how many bytes the text of `next` is longer than that of `old`. What both share is not looked at. */
export const encodedGrowth = (old: unknown, next: unknown): number => growthOf(old, next, SHARED_LEVELS);

function growthOf(old: unknown, next: unknown, levels: number): number {
  if (old === next) return 0;
  if (levels > 0 && Array.isArray(old) && Array.isArray(next)) return growthOfItems(old, next, levels - 1);
  if (levels > 0 && isObject(old) && isObject(next)) return growthOfFields(old, next, levels - 1);
  return encodedSize(next) - encodedSize(old);
}

function growthOfFields(old: Fields, next: Fields, levels: number): number {
  let [growth, fields, oldFields] = [0, 0, 0];
  for (const name in next) {
    const value = next[name];
    if (value === undefined) continue;
    fields++;
    const before = own(old, name);
    if (before === undefined) growth += sizeOfField(name, value);
    else if (before !== value) growth += growthOf(before, value, levels);
  }
  for (const name in old) {
    if (old[name] === undefined) continue;
    oldFields++;
    if (own(next, name) === undefined) growth -= sizeOfField(name, old[name]);
  }
  return growth + countCommas(fields) - countCommas(oldFields);
}

/** `"name":value` */
const sizeOfField = (name: string, value: unknown): number => encodedSize(name) + 1 + encodedSize(value);
const countCommas = (values: number): number => Math.max(0, values - 1);

function growthOfItems(old: readonly unknown[], next: readonly unknown[], levels: number): number {
  const common = Math.min(old.length, next.length);
  let growth = countCommas(next.length) - countCommas(old.length);
  for (let i = 0; i < common; i++) growth += growthOf(old[i], next[i], levels);
  for (let i = common; i < next.length; i++) growth += encodedSize(next[i]);
  for (let i = common; i < old.length; i++) growth -= encodedSize(old[i]);
  return growth;
}

/**
 * Counts the bytes of live objects. An object is measured when the total is read: most states of an object that is
 * being worked on are replaced before. Of an object that has replaced another, only what they do not share is measured.
 */
export class ObjectBytes {
  private counted = 0;
  /** The objects that are not counted yet, each with the one that is counted in its place. */
  private readonly uncounted = new Map<KubeObject, KubeObject | undefined>();
  /** Of counted objects that were measured or recorded here: nobody measures them again when they go. */
  private readonly sizes = new Map<KubeObject, number>();
  /** About the bytes of what was created since this was set: of those that were measured, each for its whole gap. */
  created = 0;
  private untilSample = SAMPLED_ONE_IN;
  private gap = SAMPLED_ONE_IN;
  private readonly random = new SeededRandom(1);

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
    if (next && !old) this.sample(next);
    if (!next && counted) this.counted -= this.takeSize(counted) ?? encodedSize(counted);
  }

  /** The known size of a counted object that is not counted from now on. */
  private takeSize(object: KubeObject): number | undefined {
    const size = this.sizes.get(object);
    if (size !== undefined) this.sizes.delete(object);
    return size;
  }

  /** The size of a new object that is known already: it need not be measured. */
  record(object: KubeObject, bytes: number): void {
    const isNew = this.uncounted.has(object) && this.uncounted.get(object) === undefined;
    if (!isNew) return;
    this.uncounted.delete(object);
    this.counted += bytes;
    this.sizes.set(object, bytes);
  }

  get total(): number {
    this.measureSome(this.uncounted.size);
    return this.counted;
  }

  /** Measures at most so many of the objects that are not counted yet. Returns how many are left. */
  measureSome(objects: number): number {
    let left = objects;
    for (const [object, counted] of this.uncounted) {
      if (left-- === 0) break;
      this.measure(object, counted);
      this.uncounted.delete(object);
    }
    return this.uncounted.size;
  }

  private measure(object: KubeObject, counted: KubeObject | undefined): void {
    const growth = counted ? encodedGrowth(counted, object) : encodedSize(object);
    this.counted += growth;
    const before = counted ? this.takeSize(counted) : 0;
    if (before !== undefined) this.sizes.set(object, before + growth);
  }

  /** Measures one created object of about sixteen, at gaps that no regular series of kinds can fall in step with. */
  private sample(object: KubeObject): void {
    if (--this.untilSample > 0) return;
    const bytes = encodedSize(object);
    this.created += bytes * this.gap;
    this.record(object, bytes);
    this.gap = 1 + this.random.below(2 * SAMPLED_ONE_IN - 1);
    this.untilSample = this.gap;
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
