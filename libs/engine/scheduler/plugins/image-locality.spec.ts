import { expect, test } from '@jest/globals';
import type { Node } from '../../api/core_v1.js';
import { makeNode, makePod, scoreNodes, snapshotOf } from '../testing.js';
import { imageLocality } from './image-locality.js';

const MB = 1024 * 1024;
const holding = (name: string, images: Record<string, number> = {}): Node =>
  makeNode(name, {
    status: {
      images: Object.entries(images).map(([image, megabytes]) => ({ names: [image], sizeBytes: megabytes * MB })),
    },
  });
const NGINX = 'docker.io/library/nginx:latest';

test.each<[string, string[], Node[], unknown]>([
  // Half of 523 MB, as one of two nodes has it: (261.5 - 23) / (1000 - 23)
  ['an image', ['nginx'], [holding('a', { [NGINX]: 523 }), holding('b')], { a: 24, b: 0 }],
  ['an image that all hold', ['nginx'], [holding('a', { [NGINX]: 500 }), holding('b', { [NGINX]: 500 })], 'Skip'],
  ['an image that none holds', ['nginx'], [holding('a'), holding('b')], 'Skip'],
  ['the only node', ['nginx'], [holding('a', { [NGINX]: 500 })], 'Skip'],
  ['a small image', ['nginx'], [holding('a', { [NGINX]: 40 }), holding('b')], { a: 0, b: 0 }],
  ['a huge image', ['nginx'], [holding('a', { [NGINX]: 9_000 }), holding('b')], { a: 100, b: 0 }],
  // 1000 MB per container: (500 - 23) / (2000 - 23)
  ['one of two images', ['nginx', 'redis'], [holding('a', { [NGINX]: 1_000 }), holding('b')], { a: 24, b: 0 }],
  [
    'an image of a registry',
    ['registry.k8s.io/pause:3.9'],
    [holding('a', { 'registry.k8s.io/pause:3.9': 523 }), holding('b')],
    { a: 24, b: 0 },
  ],
  [
    'an image of a user',
    ['grafana/loki:3'],
    [holding('a', { 'docker.io/grafana/loki:3': 523 }), holding('b')],
    { a: 24, b: 0 },
  ],
  ['another tag', ['nginx:1.27'], [holding('a', { [NGINX]: 523 }), holding('b')], 'Skip'],
])('%s', (_, images, nodes, expected) =>
  expect(
    scoreNodes(
      imageLocality,
      makePod({ containers: images.map((image, i) => ({ name: `c${i}`, image })) }),
      snapshotOf(nodes),
    ),
  ).toEqual(expected),
);
