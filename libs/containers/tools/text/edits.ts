/** A run of lines that differ: of the first text from..to, of the second otherFrom..otherTo (ends excluded). */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly otherFrom: number;
  readonly otherTo: number;
}

/** Steps after which two texts count as different as a whole from there on. */
const MAX_STEPS = 3_000_000;

/** The shortest edits from one list of lines to another, by Myers' algorithm. */
export function findEdits(left: readonly string[], right: readonly string[]): Edit[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let [leftEnd, rightEnd] = [left.length, right.length];
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1])
    [leftEnd, rightEnd] = [leftEnd - 1, rightEnd - 1];
  const pairs = matchLines(left.slice(start, leftEnd), right.slice(start, rightEnd));
  const edits: Edit[] = [];
  let [i, j] = [start, start];
  for (const [x, y] of [...pairs.map(([a, b]) => [a + start, b + start] as const), [leftEnd, rightEnd] as const]) {
    if (x > i || y > j) edits.push({ from: i, to: x, otherFrom: j, otherTo: y });
    [i, j] = [x + 1, y + 1];
  }
  return edits;
}

/** Pairs of equal lines, as many as can be had in order. */
function matchLines(left: readonly string[], right: readonly string[]): [number, number][] {
  const most = left.length + right.length;
  let furthest = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  let steps = 0;
  for (let distance = 0; distance <= most; distance++) {
    history.push(new Map(furthest));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      const goesDown =
        diagonal === -distance ||
        (diagonal !== distance && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
      let x = goesDown ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x++;
      furthest.set(diagonal, x);
      if (++steps > MAX_STEPS) return [];
      if (x >= left.length && x - diagonal >= right.length) return walkBack(history, left, right, distance);
    }
    furthest = new Map(furthest);
  }
  return [];
}

function walkBack(
  history: readonly Map<number, number>[],
  left: readonly string[],
  right: readonly string[],
  last: number,
): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [left.length, right.length];
  for (let distance = last; distance >= 0; distance--) {
    const furthest = history[distance]!;
    const diagonal = x - y;
    const cameDown =
      diagonal === -distance ||
      (diagonal !== distance && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));
    const before = cameDown ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(before) ?? 0;
    const fromY = fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      [x, y] = [x - 1, y - 1];
      pairs.push([x, y]);
    }
    if (distance > 0) [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}
