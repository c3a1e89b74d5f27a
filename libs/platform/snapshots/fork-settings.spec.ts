import { expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import { lineageOf } from './fork-settings.js';

const row = (more: Partial<ClusterRow>): ClusterRow => ({ id: 'c', settings: {}, ...more }) as ClusterRow;
const settings = { ancestors: ['b', 'a'], anchor: { virtual: 1, real: 2 } };

test.each<[string, Partial<ClusterRow>, ReturnType<typeof lineageOf>]>([
  ['a first cluster', {}, { ancestors: ['c'], anchor: undefined }],
  ['a fork', { settings, readsParent: true }, { ancestors: ['c', 'b', 'a'], anchor: settings.anchor }],
  ['a fork with a checkpoint of its own', { settings }, { ancestors: ['c'], anchor: settings.anchor }],
])('the forks of %s inherit what it reads', (_, more, expected) => expect(lineageOf(row(more))).toEqual(expected));
