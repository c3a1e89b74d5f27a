/**
 * A unified diff of two texts, line by line, three lines of context. Models github.com/pmezard/go-difflib, which is
 * Python's difflib.
 */
interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}
type Tag = 'equal' | 'replace' | 'delete' | 'insert';
interface Step {
  readonly tag: Tag;
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

const CONTEXT = 3;
/** Lines of long texts that stand for more than 1% of them start no match. */
const POPULAR_FROM = 200;

export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')];
  return hunks(steps(a, b))
    .map((hunk) => print(hunk, a, b))
    .join('');
}

function print(hunk: readonly Step[], a: readonly string[], b: readonly string[]): string {
  const [first, last] = [hunk[0]!, hunk.at(-1)!];
  const lines = [`@@ -${range(first.a[0], last.a[1])} +${range(first.b[0], last.b[1])} @@`];
  for (const {
    tag,
    a: [a1, a2],
    b: [b1, b2],
  } of hunk) {
    if (tag === 'equal') for (const line of a.slice(a1, a2)) lines.push(` ${line}`);
    if (tag === 'replace' || tag === 'delete') for (const line of a.slice(a1, a2)) lines.push(`-${line}`);
    if (tag === 'replace' || tag === 'insert') for (const line of b.slice(b1, b2)) lines.push(`+${line}`);
  }
  return `${lines.join('\n')}\n`;
}

function range(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** Steps with what lies between them cut down to the context. */
function hunks(all: readonly Step[]): Step[][] {
  const trimmed = [...all];
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  if (first?.tag === 'equal') trimmed[0] = cut(first, Math.max(first.a[0], first.a[1] - CONTEXT), first.a[1]);
  if (last?.tag === 'equal')
    trimmed[trimmed.length - 1] = cut(
      trimmed.at(-1)!,
      trimmed.at(-1)!.a[0],
      Math.min(last.a[1], trimmed.at(-1)!.a[0] + CONTEXT),
    );
  const groups: Step[][] = [];
  let group: Step[] = [];
  for (const step of trimmed) {
    if (step.tag === 'equal' && step.a[1] - step.a[0] > 2 * CONTEXT) {
      group.push(cut(step, step.a[0], step.a[0] + CONTEXT));
      groups.push(group);
      group = [cut(step, step.a[1] - CONTEXT, step.a[1])];
    } else group.push(step);
  }
  if (group.length > 1 || (group[0] && group[0].tag !== 'equal')) groups.push(group);
  return groups.filter((g) => g.some((s) => s.tag !== 'equal'));
}

function cut(step: Step, from: number, to: number): Step {
  const shift = step.b[0] - step.a[0];
  return { tag: 'equal', a: [from, to], b: [from + shift, to + shift] };
}

function steps(a: readonly string[], b: readonly string[]): Step[] {
  const result: Step[] = [];
  let [i, j] = [0, 0];
  for (const block of [...matches(a, b), { a: a.length, b: b.length, size: 0 }]) {
    const tag = i < block.a && j < block.b ? 'replace' : i < block.a ? 'delete' : j < block.b ? 'insert' : undefined;
    if (tag) result.push({ tag, a: [i, block.a], b: [j, block.b] });
    [i, j] = [block.a + block.size, block.b + block.size];
    if (block.size > 0) result.push({ tag: 'equal', a: [block.a, i], b: [block.b, j] });
  }
  return result;
}

function matches(a: readonly string[], b: readonly string[]): Block[] {
  const places = placesOf(b);
  const found: Block[] = [];
  const queue: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [a1, a2, b1, b2] = next;
    const match = longest(a, b, places, a1, a2, b1, b2);
    if (match.size === 0) continue;
    found.push(match);
    queue.push([a1, match.a, b1, match.b], [match.a + match.size, a2, match.b + match.size, b2]);
  }
  found.sort((x, y) => x.a - y.a || x.b - y.b);
  return joined(found);
}

function placesOf(b: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  b.forEach((line, i) => {
    const list = places.get(line);
    if (list) list.push(i);
    else places.set(line, [i]);
  });
  if (b.length < POPULAR_FROM) return places;
  const most = Math.floor(b.length / 100) + 1;
  for (const [line, list] of places) if (list.length > most) places.delete(line);
  return places;
}

function longest(
  a: readonly string[],
  b: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  a1: number,
  a2: number,
  b1: number,
  b2: number,
): Block {
  let [bestA, bestB, size] = [a1, b1, 0];
  let lengths = new Map<number, number>();
  for (let i = a1; i < a2; i++) {
    const now = new Map<number, number>();
    for (const j of places.get(a[i]!) ?? []) {
      if (j < b1) continue;
      if (j >= b2) break;
      const k = (lengths.get(j - 1) ?? 0) + 1;
      now.set(j, k);
      if (k > size) [bestA, bestB, size] = [i - k + 1, j - k + 1, k];
    }
    lengths = now;
  }
  while (bestA > a1 && bestB > b1 && a[bestA - 1] === b[bestB - 1])
    [bestA, bestB, size] = [bestA - 1, bestB - 1, size + 1];
  while (bestA + size < a2 && bestB + size < b2 && a[bestA + size] === b[bestB + size]) size++;
  return { a: bestA, b: bestB, size };
}

function joined(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (const block of blocks) {
    const last = result.at(-1);
    if (last && last.a + last.size === block.a && last.b + last.size === block.b)
      result[result.length - 1] = { ...last, size: last.size + block.size };
    else result.push(block);
  }
  return result;
}
