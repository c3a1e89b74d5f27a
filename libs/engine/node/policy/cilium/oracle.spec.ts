/**
 * Random policies, judged by the agent's rules and by what they were made from: sets of parties and ports, which know
 * nothing of selectors, identities or CIDRs.
 */
import { expect, test } from '@jest/globals';
import { SeededRandom } from '../../../machinery/random.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { judgePacket, type Party } from '../index.js';
import { packetOf, partyOf, podAt } from '../testing.js';
import { ciliumPolicy, ciliumWorld } from './testing.js';

const WORLDS = 150;
const PORTS = [80, 81];
const APPS = ['a', 'b'];
const SPACES = ['shop', 'evil'];

class Dice extends SeededRandom {
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
  maybe(chance: number): boolean {
    return this.next() < chance;
  }
}

interface Someone {
  readonly name: string;
  readonly party: Party;
  readonly app?: string;
  readonly space?: string;
  /** 'pod', 'outside', or a node: 'worker-1'. */
  readonly sort: string;
}

const pods = SPACES.flatMap((space, i) =>
  APPS.map((app, j) => {
    const nodeName = `worker-${j + 1}`;
    return podAt(`${space}/${app}`, `10.0.${j + 1}.${10 + i}`, { app }, { nodeName });
  }),
);
const EVERYBODY: readonly Someone[] = [
  ...pods.map((pod) => ({
    ...{ name: `${pod.metadata.namespace}/${pod.metadata.name}`, party: partyOf(pod), sort: 'pod' },
    ...{ app: pod.metadata.labels!['app']!, space: pod.metadata.namespace! },
  })),
  ...['203.0.113.7', '198.51.100.1'].map((ip) => ({ name: ip, party: { ip }, sort: 'outside' })),
  ...[1, 2].map((i) => ({
    ...{ name: `worker-${i}`, sort: `worker-${i}` },
    party: { ip: `172.18.0.${i + 2}`, node: `worker-${i}` },
  })),
];

/** A rule as it is meant, beside how it is written. */
interface Meant {
  /** Whom an item names, as seen from a pod; undefined: nobody is named. */
  readonly who: ((one: Someone, own: Someone) => boolean) | undefined;
  readonly written: object;
}

const nodeOf = ({ party }: Someone): string => party.pod?.spec.nodeName ?? '';

function someone(dice: Dice, to: 'from' | 'to', space: string): Meant {
  const [app, other] = [dice.pick(APPS), dice.pick(SPACES)];
  const isIn = (one: Someone): boolean => one.sort === 'pod' && (space === '' || one.space === space);
  const endpoints = (selector: object): object => ({ [`${to}Endpoints`]: [selector] });
  const entity = (name: string): object => ({ [`${to}Entities`]: [name] });
  switch (dice.below(9)) {
    case 0:
      return { who: isIn, written: endpoints({}) };
    case 1:
      return { who: (one) => isIn(one) && one.app === app, written: endpoints({ matchLabels: { app } }) };
    case 2:
      return {
        who: (one) => one.sort === 'pod' && one.space === other && one.app !== app,
        written: endpoints({
          matchLabels: { 'k8s:io.kubernetes.pod.namespace': other },
          matchExpressions: [{ key: 'app', operator: 'NotIn', values: [app] }],
        }),
      };
    case 3:
      return { who: (one) => one.sort === 'outside', written: entity('world') };
    case 4:
      return { who: (one) => one.sort !== 'outside', written: entity('cluster') };
    case 5:
      return {
        who: (one, own) => one.sort.startsWith('worker') && one.sort !== nodeOf(own),
        written: entity('remote-node'),
      };
    case 6:
      return { who: (one, own) => one.sort === nodeOf(own), written: entity('host') };
    case 7:
      return {
        who: ({ name }) => name === '203.0.113.7',
        written: { [`${to}CIDRSet`]: [{ cidr: '0.0.0.0/0', except: ['198.51.100.0/24'] }] },
      };
    default:
      return { who: undefined, written: {} };
  }
}

interface Item {
  readonly meant: Meant;
  /** Undefined: all. */
  readonly port: number | undefined;
}
interface Rule {
  readonly isAbout: (one: Someone) => boolean;
  readonly items: Readonly<Record<string, readonly Item[]>>;
  readonly closes: Readonly<Record<string, boolean | undefined>>;
  readonly written: KubeObject;
}

const writeItem = ({ meant, port }: Item): object => ({
  ...meant.written,
  ...(port === undefined ? {} : { toPorts: [{ ports: [{ port: String(port), protocol: 'TCP' }] }] }),
});

function makeRule(dice: Dice, i: number): Rule {
  const space = dice.pick(['', ...SPACES]);
  const app = dice.maybe(0.5) ? dice.pick(APPS) : undefined;
  const items = Object.fromEntries(
    (['ingress', 'ingressDeny', 'egress', 'egressDeny'] as const).map((name) => [
      name,
      dice.some(name.endsWith('Deny') ? 1 : 2, () => ({
        meant: someone(dice, name.startsWith('ingress') ? 'from' : 'to', space),
        port: dice.maybe(0.5) ? dice.pick(PORTS) : undefined,
      })),
    ]),
  );
  const closes = dice.maybe(0.3) ? { [dice.pick(['ingress', 'egress'])]: dice.maybe(0.5) } : {};
  const spec = {
    endpointSelector: app === undefined ? {} : { matchLabels: { app } },
    ...Object.fromEntries(Object.entries(items).map(([name, all]) => [name, all.map(writeItem)])),
    ...(Object.keys(closes).length > 0 ? { enableDefaultDeny: closes } : {}),
  };
  return {
    isAbout: (one) =>
      one.sort === 'pod' && (space === '' || one.space === space) && (app === undefined || one.app === app),
    ...{ items, closes },
    written: ciliumPolicy(space === '' ? `p${i}` : `${space}/p${i}`, spec),
  };
}

/** What is meant: denials, then permissions, then whether anything closes. */
function isMeant(
  rules: readonly Rule[],
  own: Someone,
  other: Someone,
  port: number,
  direction: 'ingress' | 'egress',
): boolean {
  const about = rules.filter(({ isAbout }) => isAbout(own));
  const names = (name: string): boolean =>
    about.some(({ items }) =>
      items[name]!.some(
        (item) =>
          (item.port === undefined || item.port === port) &&
          (item.meant.who ? item.meant.who(other, own) : item.port !== undefined),
      ),
    );
  if (names(`${direction}Deny`)) return false;
  if (names(direction)) return true;
  return !about.some(
    ({ closes, items }) => closes[direction] ?? items[direction]!.length + items[`${direction}Deny`]!.length > 0,
  );
}

function passes(rules: readonly Rule[], from: Someone, to: Someone, port: number): boolean {
  // Itself, and who comes from the pod's own node.
  if (from === to || (to.sort === 'pod' && from.sort === nodeOf(to))) return true;
  return (
    (from.sort !== 'pod' || isMeant(rules, from, to, port, 'egress')) &&
    (to.sort !== 'pod' || isMeant(rules, to, from, port, 'ingress'))
  );
}

test('policies do what they were made to', () => {
  const dice = new Dice(20_260_101);
  const wrong: string[] = [];
  let denied = 0;
  for (let world = 0; world < WORLDS; world++) {
    const rules = dice.some(3, () => undefined).map((_, i) => makeRule(dice, i));
    const state = ciliumWorld(
      pods,
      rules.map(({ written }) => written),
    );
    for (const from of EVERYBODY)
      for (const to of EVERYBODY) {
        if (from.sort !== 'pod' && to.sort !== 'pod') continue;
        const port = dice.pick(PORTS);
        const expected = passes(rules, from, to, port);
        if (!expected) denied++;
        if (judgePacket(state, packetOf(from.party, to.party, port)).allowed !== expected)
          wrong.push(
            `${world}: ${from.name} -> ${to.name}:${port}, expected ${expected}: ${JSON.stringify(rules.map(({ written }) => written))}`,
          );
      }
  }
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(denied).toBeGreaterThan(WORLDS);
});
