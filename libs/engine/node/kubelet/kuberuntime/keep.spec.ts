/** What a run has read at its beginning: Image.keeps, and how it comes back as Start.kept. */
import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import type { Image, Start } from '../../cri/image.js';
import { makeCatalog } from '../../cri/images/catalog.js';
import { findStart } from '../container/process.js';
import { formatTime, type ContainerRecord } from '../pod/pod-runtime.js';
import { configMap, container, NOW, pod, process, readerOf, waiting } from '../testing.js';
import { createContainer } from './create.js';

const FILE = '/etc/server/config';
const imageOf = (name: string, keeps?: Image['keeps']): Image => ({
  ...{ repositories: [`docker.io/library/${name}`], tags: /./, layers: [], config: {} },
  start: () => process(),
  ...(keeps && { keeps }),
});
const images = makeCatalog(
  [
    imageOf('plain'),
    imageOf('reader', (start) => start.files()[FILE]),
    imageOf('teller', ({ kept, at, seed }) => `${kept} ${at - NOW} ${seed}`),
  ],
  imageOf('plain'),
  { isPublished: () => true },
);
const own = (image: string): Pod['spec']['containers'][0] =>
  container('c', { image, volumeMounts: [{ name: 'settings', mountPath: '/etc/server' }] });
const podOf = (image: string): Pod =>
  pod({ containers: [own(image)], volumes: [{ name: 'settings', configMap: { name: 'settings' } }] });
const runtime = (kept: string, uid = 'u1'): KubeObject =>
  ({
    ...{ apiVersion: 'terrarium.dev/v1alpha1', kind: 'PodRuntime' },
    ...{ metadata: { name: 'web', namespace: 'shop' }, uid, containers: { c: { kept } } },
  }) as KubeObject;

const started = { startedAt: formatTime(NOW) };
test.each<[string, string, Record<string, string>, ContainerRecord, ContainerRecord]>([
  ['a program that keeps nothing', 'plain', { config: 'a' }, {}, started],
  ['one that reads a file', 'reader', { config: 'a' }, {}, { ...started, kept: 'a' }],
  ['one that finds nothing that has to be stored', 'reader', {}, {}, started],
  ['a restart reads again', 'reader', { config: 'b' }, { kept: 'a' }, { ...started, kept: 'b' }],
  ['a restart without the file forgets it', 'reader', {}, { kept: 'a' }, started],
  [
    'what an earlier run kept is not seen',
    'teller',
    {},
    { kept: 'a' },
    { ...started, kept: 'undefined 0 containerd://abc' },
  ],
])('%s', (_case, image, data, record, expected) => {
  const read = readerOf(configMap('settings', data), runtime('earlier'));
  const decision = createContainer({
    ...{ container: own(image), source: { pod: podOf(image), read }, images, status: waiting('c'), now: NOW },
    record: { step: 'creating', due: formatTime(NOW), ...record },
    newID: () => 'abc',
  });
  expect(decision.record).toEqual(expected);
});

const NETWORK = { resolves: () => false, connects: () => false };
test.each<[string, readonly KubeObject[], { kept?: string | undefined }, string | undefined]>([
  ['what was stored', [runtime('stored')], {}, 'stored'],
  ['nothing, of a pod that had its name before', [runtime('stored', 'u0')], {}, undefined],
  ['nothing, when nothing is stored', [], {}, undefined],
  ['what the sync knows that has not stored it yet', [runtime('stored')], { kept: 'known' }, 'known'],
  ['nothing, as the sync knows', [runtime('stored')], { kept: undefined }, undefined],
])('a run gets %s', (_case, objects, known, expected) => {
  const run = { container: own('plain'), image: 'plain:1', containerID: 'containerd://abc', startedAt: NOW, ...known };
  const source = { pod: podOf('plain'), read: readerOf(...objects) };
  const start: Start | undefined = findStart(images, run, source, NETWORK)?.start;
  expect([start !== undefined, start?.kept]).toEqual([true, expected]);
});
