import { expect, test } from '@jest/globals';
import { ControllerBed, seconds } from '../../testkit/beds/controller-bed.js';
import { ConfigMaps, Events } from '../kinds/index.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { defineController } from '../runtime/controller.js';
import { createEvent } from './plain-event.js';

const SAID = { component: 'c', type: 'Normal', reason: 'Said', message: 'it' } as const;

/** Says something of each ConfigMap, twice. */
const teller = (name: string | undefined) =>
  defineController({
    name: 'teller',
    actor: 'system:teller',
    for: ConfigMaps,
    reconcile(context, key) {
      const object = context.client.get(ConfigMaps, key) as KubeObject;
      if (key.name !== 'subject') return;
      for (const message of ['one', 'two'])
        createEvent(context, object, { ...SAID, message, ...(name === undefined ? {} : { name }) });
    },
  });

test.each([
  [
    undefined,
    [
      ['one', 1],
      ['two', 1],
    ],
  ],
  ['said', [['two', 2]]],
])('of the name %s', (name, expected) => {
  const bed = new ControllerBed({ controllers: [teller(name)] });
  bed.create(ConfigMaps, 'subject');
  bed.settle(seconds(1));
  const events = bed.client.list(Events);
  expect(events.map(({ message, count }) => [message, count])).toEqual(expected);
  expect(events[0]).toMatchObject({ reason: 'Said', source: { component: 'c' }, involvedObject: { name: 'subject' } });
});
