export interface Size {
  readonly w: number;
  readonly h: number;
}
export interface Packed extends Size {
  readonly at: readonly { readonly x: number; readonly y: number }[];
}

/** Lays boxes out in rows, in their order, so that they are as large as can be on a screen of this aspect. */
export function packRows(sizes: readonly Size[], gap: number, aspect: number): Packed {
  if (sizes.length === 0) return { w: 0, h: 0, at: [] };
  const area = sizes.reduce((sum, { w, h }) => sum + (w + gap) * (h + gap), 0);
  const widest = sizes.reduce((most, { w }) => Math.max(most, w), 0);
  let best: Packed | undefined;
  for (const share of WIDTHS) {
    const packed = packInto(sizes, gap, Math.max(widest, Math.sqrt(area * aspect) * share));
    if (!best || extent(packed, aspect) < extent(best, aspect)) best = packed;
  }
  return best!;
}

/** Widths that are tried, beside that of a screen which the boxes would fill. */
const WIDTHS = [1, 1.15, 1.35, 1.6, 2, 0.85];
const extent = ({ w, h }: Size, aspect: number): number => Math.max(w / aspect, h);

function packInto(sizes: readonly Size[], gap: number, width: number): Packed {
  const at: { x: number; y: number }[] = [];
  let [x, y, row, most] = [0, 0, 0, 0];
  for (const { w, h } of sizes) {
    if (x > 0 && x + w > width) [x, y, row] = [0, y + row + gap, 0];
    at.push({ x, y });
    most = Math.max(most, x + w);
    x += w + gap;
    row = Math.max(row, h);
  }
  return { w: most, h: y + row, at };
}

/** Columns of equal cells in which `count` of them fill a box of this size best, and their side, `most` at most. */
export function fitCells(count: number, { w, h }: Size, most: number): { columns: number; side: number } {
  if (count <= 0) return { columns: 1, side: most };
  let best = { columns: 1, side: 0 };
  const guess = Math.ceil(Math.sqrt((count * w) / h));
  for (let columns = Math.max(1, guess - 2); columns <= guess + 2; columns++) {
    const side = Math.min(most, w / columns, h / Math.ceil(count / columns));
    if (side > best.side) best = { columns, side };
  }
  return { columns: Math.max(best.columns, Math.floor(w / best.side)), side: best.side };
}

/** So many places are provided for so many things: steps, so that a group is not drawn anew for each that comes. */
export function roomFor(count: number): number {
  if (count <= 2) return 2;
  if (count <= 6) return 6;
  const side = Math.ceil(Math.sqrt(count));
  return side * side;
}
