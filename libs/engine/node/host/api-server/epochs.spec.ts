import { expect, test } from '@jest/globals';
import { nextEpochs } from './epochs.js';

const SECRETS = [{ resources: ['secrets'], providers: [] }];

test('a server that never encrypted has none', () => expect(nextEpochs(undefined, [], 7)).toBeUndefined());

test('an epoch begins with the next revision, and the same configuration begins none', () => {
  const first = nextEpochs(undefined, SECRETS, 7);
  expect(first).toEqual([{ from: 8, resources: SECRETS }]);
  expect(nextEpochs(first, SECRETS, 9)).toEqual(first);
  expect(nextEpochs(first, [], 9)).toEqual([...first!, { from: 10, resources: [] }]);
});

test('the oldest are forgotten', () => {
  let epochs = nextEpochs(undefined, SECRETS, 0);
  for (let i = 1; i < 120; i++) epochs = nextEpochs(epochs, i % 2 ? [] : SECRETS, i);
  expect(epochs).toHaveLength(50);
});
