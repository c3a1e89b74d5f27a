import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../containers/index.js';
import { checkController } from '../checks/index.js';
import { controllers } from '../controllers/index.generated.js';
import { AssertionError } from '../machinery/assert.js';
import { nodeControllers } from '../node/index.js';
import { clusterBootstrap } from './bootstrap/cluster-bootstrap.js';
import type { Controller } from '../runtime/controller.js';
import { otherSchedulers, schedulerController } from '../scheduler/index.js';
import { CONTROLLER_ORDER, newControllers, orderControllers } from './controller-order.js';

const named = (...names: string[]): Controller[] => names.map((name) => ({ name }) as Controller);

test('every controller is listed once, and every listed name is a controller', () => {
  const all = [
    ...[...controllers, schedulerController, otherSchedulers(() => undefined)],
    ...[...nodeControllers(catalog, undefined, clusterBootstrap), checkController(() => undefined)],
  ].map((c) => c.name);
  expect([...CONTROLLER_ORDER].sort()).toEqual(all.sort());
});

test('a cluster runs its controllers in the listed order', () => {
  expect(newControllers(catalog).map((c) => c.name)).toEqual(CONTROLLER_ORDER);
});

describe('orderControllers', () => {
  test('sorts by the list', () => {
    expect(orderControllers(named('c', 'a', 'b'), ['b', 'a', 'c']).map((c) => c.name)).toEqual(['b', 'a', 'c']);
  });

  test.each([
    ['a controller that is not listed', ['a', 'b'], ['a'], 'controller b is missing in the controller order'],
    ['a listed name without a controller', ['a'], ['a', 'b'], 'controller order lists b, which does not exist'],
    ['a name that is listed twice', ['a'], ['a', 'a'], 'controller order lists a, which does not exist'],
    ['two controllers of one name', ['a', 'a'], ['a'], 'two controllers have the same name'],
  ])('refuses %s', (_, names, order, message) => {
    expect(() => orderControllers(named(...names), order)).toThrow(new AssertionError(message));
  });
});
