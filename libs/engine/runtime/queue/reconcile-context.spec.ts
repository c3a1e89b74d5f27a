import { expect, test } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import { ConfigMaps, Events } from '../../kinds/index.js';
import type { Client } from '../../machinery/client.js';
import { badRequest } from '../../machinery/meta/status.js';
import { SeededRandom } from '../../machinery/random.js';
import { defineController } from '../controller.js';
import { etcdOf, ReconcileContext } from './reconcile-context.js';
import { Runner } from './runner.js';

const controller = defineController({
  name: 'test',
  actor: 'system:test',
  for: ConfigMaps,
  reconcile: () => undefined,
});
const contextOf = (runner: Runner, client: Client): ReconcileContext =>
  new ReconcileContext(runner, 0, client, new SeededRandom(0), 7, undefined, Events, {
    put: () => {},
    remove: () => {},
  });

test.each([
  [controller, { component: 'test-controller' }],
  [{ ...controller, eventSource: 'tester' }, { component: 'tester' }],
])('events come from the controller', (of, source) => {
  const bed = new ControllerBed({ controllers: [] });
  const object = bed.create(ConfigMaps, 'subject');
  contextOf(new Runner(of, undefined, () => bed.client), bed.client).event(object, 'Normal', 'Tested', 'done');
  expect(bed.client.list(Events).map((e) => e.source)).toEqual([source]);
});

test('an event that the server rejects is dropped; any other error is thrown', () => {
  const bed = new ControllerBed({ controllers: [] });
  const object = bed.create(ConfigMaps, 'subject');
  const failing = (error: Error): Client =>
    ({
      byIndex: () => [],
      create: () => {
        throw error;
      },
    }) as never;
  const record = (error: Error): void =>
    contextOf(new Runner(controller, undefined, failing as never), failing(error)).event(object, 'Normal', 'A', 'b');
  expect(() => record(badRequest('no'))).not.toThrow();
  expect(() => record(new Error('broken'))).toThrow('broken');
});

test('a write past the API server has its actor and its cause', () => {
  const bed = new ControllerBed({ controllers: [] });
  const object = bed.create(ConfigMaps, 'subject');
  const mark = bed.state.mark();
  const etcd = etcdOf(bed.state, 'system:test', 7);
  const before = object.metadata.resourceVersion;
  etcd.put(ConfigMaps, object);
  etcd.remove(ConfigMaps, { namespace: 'default', name: 'subject' });
  expect(bed.state.since(mark).map(({ type, actor, cause }) => ({ type, actor, cause }))).toEqual([
    { type: 'put', actor: 'system:test', cause: 7 },
    { type: 'delete', actor: 'system:test', cause: 7 },
  ]);
  expect(object.metadata.resourceVersion).toBe(before);
});
