import { parseDuration } from './age.js';
import { parseQuantity } from './quantity.js';

/** By what a cell is sorted: numbers before texts, and what is not known last. */
export type CellKey =
  | { readonly rank: 0; readonly number: number; readonly then: number }
  | { readonly rank: 1; readonly text: string }
  | { readonly rank: 2 };

const NONE: CellKey = { rank: 2 };
const UNKNOWN = new Set(['', '<none>', '<unknown>', '<unset>', '<pending>', '<invalid>']);
const READY = /^(\d+)\/(\d+)$/;
const COUNT_WITH_WORDS = /^(\d+) \(/;
const PERCENT = /^(\d+(?:\.\d+)?)%/;
const DATE = /^\d{4}-\d\d-\d\dT/;

const number = (value: number, then = 0): CellKey => ({ rank: 0, number: value, then });

/** Ages, quantities, "1/2", "3 (5m ago)", percentages and times are numbers. */
export function cellKey(cell: unknown): CellKey {
  if (typeof cell === 'number') return number(cell);
  if (typeof cell === 'boolean') return number(cell ? 1 : 0);
  if (typeof cell !== 'string' || UNKNOWN.has(cell)) return NONE;
  const first = cell.charCodeAt(0);
  if (!((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d)) return { rank: 1, text: cell };
  const quantity = parseQuantity(cell);
  // "5m" is five minutes in an age and five thousandths in a quantity: columns do not mix them.
  if (quantity !== undefined) return number(quantity);
  const age = parseDuration(cell);
  if (age !== undefined) return number(age);
  const ready = READY.exec(cell);
  if (ready) return number(Number(ready[2]) === 0 ? 1 : Number(ready[1]) / Number(ready[2]), Number(ready[2]));
  const counted = COUNT_WITH_WORDS.exec(cell) ?? PERCENT.exec(cell);
  if (counted) return number(Number(counted[1]));
  if (DATE.test(cell)) return number(Date.parse(cell));
  return { rank: 1, text: cell };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Names with numbers in them come by their numbers: web-2 before web-10. */
export function compareKeys(a: CellKey, b: CellKey): number {
  if (a.rank === 0 && b.rank === 0) return a.number - b.number || a.then - b.then;
  if (a.rank === 1 && b.rank === 1) return collator.compare(a.text, b.text);
  return a.rank - b.rank;
}
