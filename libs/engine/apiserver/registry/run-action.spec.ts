import { expect, test } from '@jest/globals';
import type { Action, Kind } from '../../machinery/kind.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { Widgets, type Widget } from '../../runtime/testing.js';
import { runAction } from './run-action.js';
import { COMPONENT, TestStore } from './testing.js';

const GROWTH = { group: 'test.dev', version: 'v1', kind: 'Growth' };

/** Widgets with an action that grows them by what its body says. */
function growing(verbs: Action['verbs']): Kind<Widget> {
  const grow: Action<Widget> = {
    verbs,
    kind: GROWTH,
    handle: ({ object, body, store }) =>
      store({ ...object, spec: { size: object.spec.size! + (body as { by: number }).by } }),
  };
  return { ...Widgets, subresources: { status: true, actions: { grow } } };
}

test.each<[Action['verbs'], unknown[]]>([
  [['create'], [['CREATE', 'grow', 'Growth', 'a']]],
  [['update'], []],
])('an action that takes %j is handled; admission sees the bodies that are created', (verbs, admitted) => {
  const bodies: unknown[] = [];
  const record = ({ operation, subresource, bodyType, name, object }: AdmissionRequest): void => {
    if (bodyType) bodies.push([operation, subresource, bodyType.kind, name]);
    if (bodyType) object!.metadata.labels = { admitted: 'yes' };
  };
  const kind = growing(verbs);
  const bed = new TestStore([{ name: 'Webhook', handlesBodies: true, mutate: record }], [kind]);
  const object = bed.create(kind);
  const body = { by: 2, metadata: { name: 'a' } };
  runAction(bed.store, kind, 'grow', { verb: 'create', object, body, query: { get: () => null } }, COMPONENT);
  expect([bed.stored!.spec, bodies]).toEqual([{ size: 3 }, admitted]);
  expect(body).toEqual({ by: 2, metadata: { name: 'a' } });
});
