import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { kind, type PodSandbox } from './kind.js';

test('a sandbox is stored, and served to nobody', () =>
  expect([kind.internal, storageKey(kind)]).toEqual([true, 'podsandboxes.terrarium.dev']));

test('it is found by its node', () =>
  expect(kind.indexes?.['node']?.({ nodeName: 'worker-1' } as PodSandbox)).toEqual(['worker-1']));
