/** How many cores and nodes there are, of the nodes that count. */
export interface Size {
  readonly cores: number;
  readonly nodes: number;
}

/** What a ConfigMap says: its mode, and the mode's parameters. */
export interface Proportion {
  readonly mode: 'linear' | 'ladder';
  readonly params: Readonly<Record<string, unknown>>;
}

const MODES = ['linear', 'ladder'] as const;
/** Steps of a ladder that are looked at. */
const MAX_STEPS = 1_000;

/** Undefined when there is no mode, or what is written is not JSON. */
export function readProportion(data: Readonly<Record<string, string>> = {}): Proportion | undefined {
  for (const mode of MODES) {
    const text = data[mode];
    if (text === undefined) continue;
    const params = parse(text);
    return params === undefined ? undefined : { mode, params };
  }
  return undefined;
}

/** The data that `--default-params={"linear":{…}}` stands for. */
export function dataOf(defaults: string): Record<string, string> | undefined {
  const params = parse(defaults);
  const mode = MODES.find((one) => typeof params?.[one] === 'object');
  return mode === undefined ? undefined : { [mode]: JSON.stringify(params![mode]) };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export const countsUnschedulable = ({ params }: Proportion): boolean => params['includeUnschedulableNodes'] === true;

/** Models pkg/autoscaler/controller: linearcontroller and laddercontroller. */
export function replicasOf({ mode, params }: Proportion, size: Size): number {
  return mode === 'linear' ? linear(params, size) : ladder(params, size);
}

function linear(params: Proportion['params'], { cores, nodes }: Size): number {
  const per = (name: string, count: number): number => {
    const each = numberOf(params[name]);
    return each > 0 ? Math.ceil(count / each) : 0;
  };
  const wanted = Math.max(per('coresPerReplica', cores), per('nodesPerReplica', nodes));
  const least = Math.max(1, numberOf(params['min']), params['preventSinglePointFailure'] === true && nodes > 1 ? 2 : 1);
  const most = numberOf(params['max']);
  const atLeast = Math.max(least, wanted);
  return most > 0 ? Math.min(most, atLeast) : atLeast;
}

function ladder(params: Proportion['params'], { cores, nodes }: Size): number {
  return Math.max(step(params['coresToReplicas'], cores), step(params['nodesToReplicas'], nodes));
}

/** The replicas of the last step that is not above the count; the lowest step's below all of them. */
function step(steps: unknown, count: number): number {
  if (!Array.isArray(steps)) return 0;
  const pairs = steps
    .slice(0, MAX_STEPS)
    .filter((pair): pair is [number, number] => Array.isArray(pair) && pair.every((one) => typeof one === 'number'))
    .sort((a, b) => a[0] - b[0]);
  return (pairs.filter(([from]) => from <= count).at(-1) ?? pairs[0])?.[1] ?? 0;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
