import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import type { Reader } from '../../../../machinery/client.js';
import { byName, container, NOW, pod, running, terminated } from '../../../kubelet/testing.js';
import type { Process } from '../../image.js';
import { findTakenPorts, hasNeighbours, type Neighbours } from './taken-ports.js';

const server = (more: Partial<Process>): Process => ({ listens: [], readyAfterMs: 0, lines: () => [], ...more });

const onNode = (name: string, containers: Pod['spec']['containers'], hostNetwork = true): Pod => {
  const made = pod({ containers, hostNetwork, nodeName: 'n' });
  return { ...made, metadata: { ...made.metadata, name, uid: name } };
};

interface Case {
  readonly own: Pod;
  readonly others?: readonly Pod[];
  /** By container; without one a machine runs it. */
  readonly summaries: Readonly<Record<string, Process>>;
  readonly listening?: readonly { readonly at: number; readonly ports: readonly number[] }[];
  readonly statuses?: ReturnType<typeof byName>;
}

function taken({ own, others = [], summaries, listening = [], statuses }: Case): number[] {
  const read = { byIndex: () => [own, ...others], get: () => undefined } as unknown as Reader;
  const neighbours: Neighbours = {
    read,
    withNode: true,
    viewOf: (other) => ({
      pod: other,
      statuses: statuses ?? byName(...other.spec.containers.map(({ name }) => running(name))),
      records: {},
    }),
    summaryOf: (_view, { container: { name } }) => summaries[name],
    forecast: () => ({ listening, knownUntil: Infinity }),
  };
  const view = { pod: own, statuses: byName(...own.spec.containers.map(({ name }) => running(name))), records: {} };
  // Of the node itself: what its kubelet has.
  return findTakenPorts(view, 'c', NOW, neighbours).filter((port) => ![10_248, 10_249, 10_250].includes(port));
}

const alone = [container('c')];
const WEB = server({ listens: [80, 8_080], binds: [80] });

test.each<[string, Case, number[]]>([
  ['its own are not', { own: onNode('a', alone), summaries: { c: WEB } }, []],
  [
    'another container of its pod binds one',
    { own: onNode('a', [...alone, container('d')], false), summaries: { d: WEB } },
    [80],
  ],
  [
    'another pod of the node listens',
    { own: onNode('a', alone), others: [onNode('b', [container('d')])], summaries: { d: WEB } },
    [80, 8_080],
  ],
  [
    'another pod has a network of its own',
    { own: onNode('a', alone), others: [onNode('b', [container('d')], false)], summaries: { d: WEB } },
    [],
  ],
  [
    'another pod is not in this one',
    { own: onNode('a', alone, false), others: [onNode('b', [container('d')])], summaries: { d: WEB } },
    [],
  ],
  [
    'the other one is about to end',
    {
      own: onNode('a', alone),
      others: [onNode('b', [container('d')])],
      summaries: { d: server({ listens: [80], exit: { afterMs: 9, code: 1 } }) },
    },
    [],
  ],
  [
    'the other one has ended',
    {
      own: onNode('a', alone),
      others: [onNode('b', [container('d')])],
      summaries: { d: WEB },
      statuses: byName(terminated('d', 1)),
    },
    [],
  ],
  [
    'a machine of another pod listens, or is about to',
    {
      own: onNode('a', alone),
      others: [onNode('b', [container('d')])],
      summaries: {},
      listening: [
        { at: NOW - 1, ports: [81] },
        { at: NOW + 100, ports: [81, 82] },
        { at: NOW + 60_000, ports: [81, 82, 83] },
      ],
    },
    [81, 82],
  ],
])('ports that are taken: %s', (_what, given, expected) => {
  expect(taken(given)).toEqual(expected);
});

test('the node itself listens in its own namespace', () => {
  const own = onNode('a', alone);
  const read = { byIndex: () => [own], get: () => undefined } as unknown as Reader;
  const view = { pod: own, statuses: byName(running('c')), records: {} };
  const others = { read, viewOf: () => view, summaryOf: () => undefined, forecast: () => ({}) as never };
  expect(findTakenPorts(view, 'c', NOW, { ...others, withNode: true })).toContain(10_250);
  expect(findTakenPorts(view, 'c', NOW, { ...others, withNode: false })).toEqual([]);
});

test('a single container of a pod with its own network has no neighbours', () => {
  expect(hasNeighbours(onNode('a', alone, false))).toBe(false);
  expect(hasNeighbours(onNode('a', [...alone, container('d')], false))).toBe(true);
  expect(hasNeighbours(onNode('a', alone))).toBe(true);
});
