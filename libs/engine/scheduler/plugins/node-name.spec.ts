import { expect, test } from '@jest/globals';
import { filterNodes, makeNode, makePod, snapshotOf } from '../testing.js';
import { nodeName } from './node-name.js';

test.each<[string | undefined, unknown]>([
  [undefined, 'Skip'],
  ['', 'Skip'],
  ['a', { b: "!node(s) didn't match the requested node name" }],
])('the node name %j', (name, expected) =>
  expect(filterNodes(nodeName, makePod({ nodeName: name }), snapshotOf([makeNode('a'), makeNode('b')]))).toEqual(
    expected,
  ),
);
