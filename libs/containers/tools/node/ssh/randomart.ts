const LETTERS = ' .o+=*BOX@%&#/^SE';
const COLUMNS = 17;
const ROWS = 9;

/** The picture of a key: where a drunken bishop walks by a hash. Models sshkey_fingerprint_randomart. */
export function drawKey(hash: Uint8Array, type: string, bits: number): string {
  const field = new Array<number>(COLUMNS * ROWS).fill(0);
  const last = LETTERS.length - 1;
  let [x, y] = [Math.floor(COLUMNS / 2), Math.floor(ROWS / 2)];
  for (const byte of hash)
    for (let shift = 0; shift < 8; shift += 2) {
      const step = byte >> shift;
      x = Math.min(COLUMNS - 1, Math.max(0, x + (step & 1 ? 1 : -1)));
      y = Math.min(ROWS - 1, Math.max(0, y + (step & 2 ? 1 : -1)));
      const at = y * COLUMNS + x;
      if (field[at]! < last - 2) field[at]!++;
    }
  field[Math.floor(ROWS / 2) * COLUMNS + Math.floor(COLUMNS / 2)] = last - 1;
  field[y * COLUMNS + x] = last;
  const rows = Array.from({ length: ROWS }, (_, row) =>
    field
      .slice(row * COLUMNS, (row + 1) * COLUMNS)
      .map((count) => LETTERS[Math.min(count, last)]!)
      .join(''),
  );
  return `${frame(`[${type} ${bits}]`)}${rows.map((row) => `|${row}|\n`).join('')}${frame('[SHA256]')}`;
}

function frame(title: string): string {
  const left = Math.floor((COLUMNS - title.length) / 2);
  return `+${'-'.repeat(left)}${title}${'-'.repeat(COLUMNS - left - title.length)}+\n`;
}
