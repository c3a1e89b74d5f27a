/** As GET /v1/operator/load gives it. */
export interface ServiceLoad {
  readonly at: string;
  readonly tasks: Readonly<Record<string, number>>;
  readonly warmClusters: number;
  readonly warmBytes: number;
  readonly listeners: number;
  readonly openRequests: number;
  readonly requests: number;
  readonly refused: number;
  readonly changes: number;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

export const FIGURES = ['cpu', 'waiting', 'active', 'warm', 'requests', 'changes', 'open', 'refused'] as const;
export type Figure = (typeof FIGURES)[number];

/** What is drawn of one moment; rates are a second. */
export type Sample = Readonly<Record<Figure, number>>;

/** Between two readings; undefined when another process has answered, or the same one has begun anew. */
export function sampleOf(before: ServiceLoad, now: ServiceLoad): Sample | undefined {
  const seconds = (Date.parse(now.at) - Date.parse(before.at)) / 1_000;
  const grown = (key: 'requests' | 'changes' | 'refused' | 'cpuSeconds'): number => (now[key] - before[key]) / seconds;
  if (!(seconds > 0) || now.cpuSeconds < before.cpuSeconds || now.requests < before.requests) return undefined;
  return {
    // Of one core: the process has one thread.
    cpu: grown('cpuSeconds') * 100,
    waiting: now.tasks['waiting'] ?? 0,
    active: now.tasks['active'] ?? 0,
    warm: now.warmClusters,
    requests: grown('requests'),
    changes: grown('changes'),
    open: now.openRequests + now.listeners,
    refused: grown('refused'),
  };
}

/** A line from the left, of up to `most` values, with the greatest at the top; all zero: at the bottom. */
export function lineOf(values: readonly number[], most: number, width: number, height: number): string {
  const top = Math.max(...values, 1);
  return values
    .map((value, i) => `${((i * width) / (most - 1)).toFixed(1)},${(height - (value / top) * height).toFixed(1)}`)
    .join(' ');
}
