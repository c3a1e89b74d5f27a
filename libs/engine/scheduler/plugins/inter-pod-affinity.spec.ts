import { describe, expect, test } from '@jest/globals';
import type { Affinity, Pod, PodAffinityTerm, PodSpec } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf, zone } from '../testing.js';
import { interPodAffinity, interPodAffinityScore } from './inter-pod-affinity.js';

const HOST = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const NODES = [
  makeNode('a', { labels: zone('x') }),
  makeNode('b', { labels: zone('x') }),
  makeNode('c', { labels: zone('y') }),
];
const term = (app: string, topologyKey = HOST, more: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  labelSelector: { matchLabels: { app } },
  topologyKey,
  ...more,
});
const near = (...terms: PodAffinityTerm[]): Affinity => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
});
const apart = (...terms: PodAffinityTerm[]): Affinity => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
});
const app = (name: string, nodeName?: string, affinity?: Affinity): Pod =>
  makePod({ affinity } as Partial<PodSpec>, { app: name }, nodeName);
const namespaced = (pod: Pod, namespace: string): Pod => ({ ...pod, metadata: { ...pod.metadata, namespace } });

const AFFINITY = "!node(s) didn't match pod affinity rules";
const ANTI = "node(s) didn't match pod anti-affinity rules";
const EXISTING = "node(s) didn't satisfy existing pods anti-affinity rules";

describe('the filter', () => {
  test.each<[string, Pod, Pod[], unknown]>([
    ['skips a pod without terms', app('web'), [app('db', 'a')], 'Skip'],
    [
      'keeps a pod near another',
      app('web', undefined, near(term('db'))),
      [app('db', 'a')],
      { b: AFFINITY, c: AFFINITY },
    ],
    [
      'keeps a pod in the zone of another',
      app('web', undefined, near(term('db', ZONE))),
      [app('db', 'a')],
      { c: AFFINITY },
    ],
    [
      'keeps a pod near two others',
      app('web', undefined, near(term('db', ZONE), term('cache'))),
      [app('db', 'a'), app('cache', 'b'), app('cache', 'c')],
      { a: AFFINITY, c: AFFINITY },
    ],
    ['lets the first of a group go anywhere', app('web', undefined, near(term('web'))), [], {}],
    [
      'lets no pod go near none',
      app('web', undefined, near(term('db'))),
      [],
      { a: AFFINITY, b: AFFINITY, c: AFFINITY },
    ],
    ['keeps a pod away from another', app('web', undefined, apart(term('web'))), [app('web', 'a')], { a: ANTI }],
    [
      'keeps a pod out of the zone of another',
      app('web', undefined, apart(term('web', ZONE))),
      [app('web', 'a')],
      { a: ANTI, b: ANTI },
    ],
    ['keeps a pod away from one that wants so', app('web'), [app('db', 'a', apart(term('web')))], { a: EXISTING }],
    ['lets a pod near one that wants others away', app('web'), [app('db', 'a', apart(term('cache')))], 'Skip'],
    [
      'needs the label of the topology',
      app('web', undefined, near(term('db', 'rack'))),
      [app('db', 'a')],
      { a: AFFINITY, b: AFFINITY, c: AFFINITY },
    ],
  ])('%s', (_, pod, pods, expected) =>
    expect(filterNodes(interPodAffinity, pod, snapshotOf(NODES, pods))).toEqual(expected),
  );
});

describe('a term is about', () => {
  const elsewhere = namespaced(app('db', 'a'), 'data');
  const data = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'data', labels: { team: 'db' } },
  } as KubeObject;
  test.each<[string, Partial<PodAffinityTerm>, boolean]>([
    ["the pod's namespace", {}, false],
    ['the namespaces it lists', { namespaces: ['data'] }, true],
    ['the namespaces it selects', { namespaceSelector: { matchLabels: { team: 'db' } } }, true],
    ['no others', { namespaceSelector: { matchLabels: { team: 'web' } } }, false],
    ['all namespaces', { namespaceSelector: {} }, true],
  ])('%s', (_, more, found) =>
    expect(
      filterNodes(
        interPodAffinity,
        app('web', undefined, near(term('db', HOST, more))),
        snapshotOf(NODES, [elsewhere], [data]),
      ),
    ).toEqual(found ? { b: AFFINITY, c: AFFINITY } : { a: AFFINITY, b: AFFINITY, c: AFFINITY }),
  );

  const versioned = (version: string, nodeName?: string, affinity?: Affinity): Pod =>
    makePod({ affinity } as Partial<PodSpec>, { app: 'web', version }, nodeName);
  test.each<[string, Partial<PodAffinityTerm>, unknown]>([
    ['pods with the same label', { matchLabelKeys: ['version'] }, { b: ANTI }],
    ['pods with another label', { mismatchLabelKeys: ['version'] }, { a: ANTI }],
  ])('%s', (_, more, expected) =>
    expect(
      filterNodes(
        interPodAffinity,
        versioned('2', undefined, apart(term('web', HOST, more))),
        snapshotOf(NODES, [versioned('1', 'a'), versioned('2', 'b')]),
      ),
    ).toEqual(expected),
  );
});

describe('the score', () => {
  const prefer = (
    kind: 'podAffinity' | 'podAntiAffinity',
    weight: number,
    podAffinityTerm: PodAffinityTerm,
  ): Affinity => ({
    [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] },
  });
  test.each<[string, Pod, Pod[], unknown]>([
    ['is skipped without terms', app('web'), [app('db', 'a')], 'Skip'],
    [
      'is skipped when no pod matches',
      app('web', undefined, prefer('podAffinity', 5, term('none'))),
      [app('db', 'a')],
      'Skip',
    ],
    [
      'prefers nodes with such pods',
      app('web', undefined, prefer('podAffinity', 5, term('db'))),
      [app('db', 'a')],
      { a: 100, b: 0, c: 0 },
    ],
    [
      'counts the pods of a zone',
      app('web', undefined, prefer('podAffinity', 5, term('db', ZONE))),
      [app('db', 'a'), app('db', 'b'), app('db', 'c')],
      { a: 100, b: 100, c: 0 },
    ],
    [
      'avoids nodes with such pods',
      app('web', undefined, prefer('podAntiAffinity', 5, term('db'))),
      [app('db', 'a')],
      { a: 0, b: 100, c: 100 },
    ],
    ['prefers nodes whose pods require it', app('web'), [app('db', 'a', near(term('web')))], { a: 100, b: 0, c: 0 }],
    [
      'prefers nodes whose pods prefer it',
      app('web'),
      [app('db', 'a', prefer('podAffinity', 9, term('web')))],
      { a: 100, b: 0, c: 0 },
    ],
    [
      'avoids nodes whose pods prefer so',
      app('web'),
      [app('db', 'a', prefer('podAntiAffinity', 9, term('web')))],
      { a: 0, b: 100, c: 100 },
    ],
  ])('%s', (_, pod, pods, expected) =>
    expect(scoreNodes(interPodAffinityScore, pod, snapshotOf(NODES, pods))).toEqual(expected),
  );
});
