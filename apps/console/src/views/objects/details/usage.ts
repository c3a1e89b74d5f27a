import { at, listAt, textAt } from '../../../kube/object.js';

export interface Usage {
  /** Cores. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

const QUANTITY = /^(\d+(?:\.\d+)?)(n|u|m|k|M|G|T|Ki|Mi|Gi|Ti)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

export function readQuantity(text: string): number {
  const [, value, unit = ''] = QUANTITY.exec(text) ?? [];
  return value === undefined ? 0 : Number(value) * FACTORS[unit]!;
}

/** What a PodMetrics or NodeMetrics says: of a pod the sum of its containers. */
export function usageOf(metrics: unknown): Usage {
  const parts = at(metrics, 'usage') ? [metrics] : listAt(metrics, 'containers');
  const sum = (resource: string): number =>
    parts.reduce((total: number, part) => total + readQuantity(textAt(part, 'usage', resource)), 0);
  return { cpu: sum('cpu'), memory: sum('memory') };
}

export const cpuText = (cores: number): string => (cores < 1 ? `${Math.round(cores * 1_000)}m` : cores.toFixed(2));
export const memoryText = (bytes: number): string =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(2)}Gi` : `${Math.round(bytes / 2 ** 20)}Mi`;

/** Points of a polyline within a box; the lowest value shown is 0. */
export function linePoints(values: readonly number[], width: number, height: number, places: number): string {
  const highest = Math.max(...values, Number.MIN_VALUE);
  const step = width / Math.max(1, places - 1);
  const begin = places - values.length;
  return values
    .map(
      (value, i) => `${((begin + i) * step).toFixed(1)},${(height - (value / highest) * (height - 4) - 2).toFixed(1)}`,
    )
    .join(' ');
}
