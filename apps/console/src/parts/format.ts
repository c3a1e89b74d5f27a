const UNITS: readonly [seconds: number, unit: string][] = [
  [86_400 * 365, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
];

/** As kubectl writes ages: the greatest unit, and the next one when that is small: 3d4h, 12m, 5s. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const at = UNITS.findIndex(([size]) => seconds >= size);
  if (at < 0) return '0s';
  const [size, unit] = UNITS[at]!;
  const count = Math.floor(seconds / size);
  const next = UNITS[at + 1];
  const rest = next && count < 10 ? Math.floor((seconds % size) / next[0]) : 0;
  return `${count}${unit}${rest > 0 ? `${rest}${next![1]}` : ''}`;
}

const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1_024 && unit < BYTES.length - 1; unit++) value /= 1_024;
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${BYTES[unit]}`;
}

/** 1,000,000: a number that people compare is read by its groups. */
export const formatCount = (count: number): string => count.toLocaleString('en-US');
