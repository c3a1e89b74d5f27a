import { PARTS, type Part, type Step } from './pod-start.js';

export interface Arrow {
  readonly step: Step;
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
  /** Since the first step: ms. */
  readonly since: number;
  /** So much later than the step before: a pause that is worth a line. */
  readonly pause: number;
}

export interface Diagram {
  readonly w: number;
  readonly h: number;
  readonly columns: readonly { readonly part: Part; readonly x: number }[];
  readonly arrows: readonly Arrow[];
}

const COLUMN = 142;
const ROW = 40;
const HEAD = 56;
const LEFT = 150;
/** A longer wait gets more room: so much for each tenfold. */
const PAUSE_ROOM = 14;
const SHORT_MS = 100;

/** Where the steps stand: a column for each part that takes part, a row for each step, more room where time passed. */
export function layOutSteps(steps: readonly Step[]): Diagram {
  const used = PARTS.filter(
    (part) => part === 'apiserver' || steps.some(({ from, to }) => from === part || to === part),
  );
  const columns = used.map((part, i) => ({ part, x: LEFT + i * COLUMN }));
  const xOf = (part: Part): number => columns.find((column) => column.part === part)!.x;
  const first = steps[0]?.at ?? 0;
  let y = HEAD;
  let last = first;
  const arrows = steps.map((step) => {
    const pause = step.at - last;
    last = step.at;
    y += ROW + (pause > SHORT_MS ? PAUSE_ROOM * Math.max(1, Math.log10(pause / SHORT_MS)) : 0);
    return { step, x1: xOf(step.from), x2: xOf(step.to), y, since: step.at - first, pause };
  });
  return { w: LEFT + used.length * COLUMN, h: y + ROW, columns, arrows };
}

/** '+0.004 s', '+2.8 s', '1 min 5 s'. */
export function formatSpan(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(3)} s`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
