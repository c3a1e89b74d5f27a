import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import { defineController } from '../controller.js';
import { Runner } from './runner.js';
import { findUpcoming } from './upcoming.js';
import { Wakes } from './wakes.js';

const NOW = 1_000;
const key = (name: string) => ({ namespace: 'default', name });
const runnerOf = (name: string): Runner =>
  new Runner(
    defineController({ name, actor: 'system:test', for: ConfigMaps, reconcile: () => undefined }),
    undefined,
    () => ({}) as Client,
  );

/** Two controllers: keys that are queued for each, and who is disabled. The second one has a timer at 2 s. */
test.each<[string, readonly string[], readonly string[], number, string | undefined, string | undefined]>([
  ['the first of those whose turn it is', ['a'], ['b'], 0, undefined, 'first default/a at 1000: change'],
  ['the second in its turn', ['a'], ['b'], 1, undefined, 'second default/b at 1000: change'],
  ['the first again after the round', ['a'], [], 1, undefined, 'first default/a at 1000: change'],
  ['nobody who is disabled', ['a'], [], 0, 'first', 'second default/later at 2000: delay'],
  ['who is woken when nothing is queued', [], [], 0, undefined, 'second default/later at 2000: delay'],
])('%s is next', (_, ofFirst, ofSecond, turn, disabled, expected) => {
  const [first, second] = [runnerOf('first'), runnerOf('second')];
  for (const name of ofFirst) first.queue.add(key(name), 1);
  for (const name of ofSecond) second.queue.add(key(name), 2);
  const wakes = new Wakes();
  wakes.delay(1_000, second, key('later'), 3, NOW, false);
  const canRun = ({ queue, controller }: Runner): boolean => queue.size > 0 && controller.name !== disabled;
  const next = findUpcoming({ runners: [first, second], turn, wakes, now: NOW, canRun });
  expect(next && `${next.controller.name} default/${next.key.name} at ${next.at}: ${next.why}`).toBe(expected);
});

test('without a key and a timer there is nothing', () =>
  expect(
    findUpcoming({ runners: [runnerOf('idle')], turn: 0, wakes: new Wakes(), now: NOW, canRun: () => false }),
  ).toBeUndefined());
