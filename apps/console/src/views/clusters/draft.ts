/** What the form of new clusters holds: text as it was typed. */
export interface Draft {
  readonly name: string;
  readonly count: string;
  readonly nodes: string;
  readonly speed: 'realistic' | 'instant';
  readonly version: string;
  readonly isDualStack: boolean;
  readonly labels: string;
  readonly ttl: string;
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  count: '1',
  nodes: '2',
  speed: 'realistic',
  version: '',
  isDualStack: false,
  labels: '',
  ttl: '',
};

/** Fields of a draft that are wrong, each with why; the server knows the rest. */
export type DraftFaults = Partial<Record<keyof Draft, 'name' | 'number' | 'labels' | 'ttl'>>;

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const TTL = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/;
const MAX_COUNT = 200;
const MAX_NODES = 200;

/** `a=b, c=d` or `a=b c`; undefined when it is none. */
export function parseLabels(text: string): Record<string, string> | undefined {
  const labels: Record<string, string> = {};
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const [key, value = '', ...more] = part.split('=');
    if (!key || more.length > 0) return undefined;
    labels[key] = value;
  }
  return labels;
}

const isWhole = (text: string, least: number, most: number): boolean =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;

export function findFaults({ name, count, nodes, labels, ttl }: Draft): DraftFaults {
  return {
    ...(NAME.test(name) && name.length <= 63 ? {} : { name: 'name' }),
    ...(isWhole(count, 1, MAX_COUNT) ? {} : { count: 'number' }),
    ...(isWhole(nodes, 0, MAX_NODES) ? {} : { nodes: 'number' }),
    ...(parseLabels(labels) ? {} : { labels: 'labels' }),
    ...(ttl === '' || TTL.test(ttl) ? {} : { ttl: 'ttl' }),
  };
}

/** The body of POST /v1/clusters/batch of a draft without faults. */
export function toBatch({ name, count, nodes, speed, version, isDualStack, labels, ttl }: Draft): object {
  const item = {
    name,
    count: Number(count),
    nodes: Number(nodes),
    speed,
    ...(version ? { version } : {}),
    ...(isDualStack ? { ipFamilies: ['IPv4', 'IPv6'] } : {}),
    labels: parseLabels(labels),
    ...(ttl ? { ttl } : {}),
  };
  return { items: [item] };
}

const WORDS = [
  'fern',
  'moss',
  'clover',
  'maple',
  'cedar',
  'lily',
  'sorrel',
  'thyme',
  'juniper',
  'heather',
  'aster',
  'birch',
];

/** A name that no cluster has yet: a plant, numbered when all of them are taken. `chance` is from 0 to 1. */
export function proposeName(taken: ReadonlySet<string>, chance: number): string {
  const start = Math.floor(chance * WORDS.length);
  for (let round = 0; ; round++)
    for (let i = 0; i < WORDS.length; i++) {
      const word = WORDS[(start + i) % WORDS.length]!;
      const name = round === 0 ? word : `${word}-${round + 1}`;
      if (!taken.has(name)) return name;
    }
}
