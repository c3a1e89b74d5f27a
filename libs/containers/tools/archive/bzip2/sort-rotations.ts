/**
 * The rotations of a block in their order, by where they begin: prefixes of twice the length are sorted by what is
 * known of both halves, so that no content takes longer than another.
 */
export function sortRotations(block: Uint8Array): Int32Array {
  const n = block.length;
  let order = new Int32Array(n);
  let ranks = new Int32Array(n);
  const counts = new Int32Array(Math.max(256, n) + 1);
  for (const byte of block) counts[byte + 1]!++;
  for (let i = 1; i <= 256; i++) counts[i]! += counts[i - 1]!;
  for (let i = 0; i < n; i++) order[counts[block[i]!]!++] = i;
  let classes = 1;
  for (let i = 1; i < n; i++) {
    if (block[order[i]!] !== block[order[i - 1]!]) classes++;
    ranks[order[i]!] = classes - 1;
  }
  for (let length = 1; length < n && classes < n; length *= 2) {
    const shifted = order.map((at) => (at < length ? at - length + n : at - length));
    counts.fill(0);
    for (let i = 0; i < n; i++) counts[ranks[i]! + 1]!++;
    for (let i = 1; i <= classes; i++) counts[i]! += counts[i - 1]!;
    order = new Int32Array(n);
    for (const at of shifted) order[counts[ranks[at]!]!++] = at;
    const next = new Int32Array(n);
    classes = 1;
    const half = (at: number): number => ranks[(at + length) % n]!;
    for (let i = 1; i < n; i++) {
      const [a, b] = [order[i]!, order[i - 1]!];
      if (ranks[a] !== ranks[b] || half(a) !== half(b)) classes++;
      next[a] = classes - 1;
    }
    ranks = next;
  }
  return order;
}
