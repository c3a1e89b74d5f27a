import type { Cluster } from '../../api/clusters.generated.js';

/** One condition of a label selector, as kubectl's -l has them. */
export type Requirement = (labels: Readonly<Record<string, string>>) => boolean;

const SET = /^([^\s!=,()]+)\s+(in|notin)\s*\(([^()]*)\)$/;
const EQUAL = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/;
const EXISTS = /^(!?)\s*([^\s!=,()]+)$/;

/** Undefined for text that is no selector. '' selects all. */
export function parseSelector(text: string): Requirement | undefined {
  const requirements = splitSelector(text).map(parseRequirement);
  if (requirements.some((one) => one === undefined)) return undefined;
  return (labels) => requirements.every((matches) => matches!(labels));
}

/** At the commas that are in no brackets. */
const splitSelector = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function parseRequirement(text: string): Requirement | undefined {
  const [, setKey, operator, list] = SET.exec(text) ?? [];
  if (setKey !== undefined) {
    const values = new Set(list!.split(',').map((value) => value.trim()));
    return operator === 'in'
      ? (labels) => setKey in labels && values.has(labels[setKey]!)
      : (labels) => !(setKey in labels) || !values.has(labels[setKey]!);
  }
  const [, equalKey, sign, value] = EQUAL.exec(text) ?? [];
  if (equalKey !== undefined)
    return sign === '!=' ? (labels) => labels[equalKey] !== value : (labels) => labels[equalKey] === value;
  const [, not, key] = EXISTS.exec(text) ?? [];
  if (key === undefined) return undefined;
  return not ? (labels) => !(key in labels) : (labels) => key in labels;
}

export interface Filter {
  /** Part of a name or of an id. */
  readonly text: string;
  readonly selector: string;
}

/** Undefined when the selector is none. */
export function filterClusters(clusters: Iterable<Cluster>, { text, selector }: Filter): Cluster[] | undefined {
  const matches = parseSelector(selector);
  if (!matches) return undefined;
  const part = text.trim().toLowerCase();
  return [...clusters].filter(
    ({ name, id, labels }) => (name.includes(part) || id.startsWith(part) || part === '') && matches(labels),
  );
}

export type SortKey = 'name' | 'state' | 'nodes' | 'age' | 'used' | 'ends';
export interface Sort {
  readonly by: SortKey;
  readonly isDown: boolean;
}

const NEVER = '9';
const KEYS: Readonly<Record<SortKey, (cluster: Cluster) => string | number>> = {
  name: ({ name }) => name,
  state: ({ state }) => state,
  nodes: ({ nodes }) => nodes,
  age: ({ createdAt }) => createdAt,
  used: ({ lastUsedAt }) => lastUsedAt,
  ends: ({ expiresAt }) => expiresAt ?? NEVER,
};

/** In the order of the sort; equal ones by their age. */
export function sortClusters(clusters: readonly Cluster[], { by, isDown }: Sort): Cluster[] {
  const key = KEYS[by];
  const sign = isDown ? -1 : 1;
  return [...clusters].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (left === right) return a.id < b.id ? -1 : 1;
    if (typeof left === 'string' && by === 'name')
      return sign * left.localeCompare(String(right), 'en', { numeric: true });
    return left < right ? -sign : sign;
  });
}

/** 'name' or '-name', as the URL has it. */
export function parseSort(text: string): Sort {
  const by = text.replace(/^-/, '');
  return by in KEYS ? { by: by as SortKey, isDown: text.startsWith('-') } : { by: 'age', isDown: true };
}
