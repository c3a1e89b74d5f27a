import { expect, test } from '@jest/globals';
import { ConfigMaps } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import { defineController } from '../controller.js';
import { Runner } from './runner.js';

const controller = defineController({
  name: 'test',
  actor: 'system:test',
  for: ConfigMaps,
  reconcile: () => undefined,
});

test('a runner has one client for each actor, whose writes record the cause of the reconcile at hand', () => {
  const made: string[] = [];
  let causeOf = (): number => -1;
  const runner = new Runner(controller, undefined, (actor, cause) => {
    made.push(actor);
    causeOf = cause;
    return {} as Client;
  });
  expect(runner.clientFor('system:test')).toBe(runner.clientFor('system:test'));
  runner.clientFor('system:serviceaccount:default:app');
  expect(made).toEqual(['system:test', 'system:serviceaccount:default:app']);
  runner.cause = 7;
  expect(causeOf()).toBe(7);
});
