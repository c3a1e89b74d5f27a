import { expect, test } from '@jest/globals';
import type { AppliedChange, KubeObject } from '@terrarium/engine';
import { changeEvent, matcherOf, type ChangeFilter } from './change-event.js';

const pod = (app: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', labels: { app } },
});
const change = (type: 'put' | 'delete', object: KubeObject, old?: KubeObject): AppliedChange => ({
  revision: 7,
  type,
  resource: 'pods',
  namespace: 'default',
  name: 'web',
  object,
  old,
  actor: 'kubelet',
  cause: 6,
  at: Date.UTC(2026, 0, 1),
});
const all = matcherOf({});

test.each<[string, AppliedChange, ChangeFilter, string | undefined]>([
  ['created', change('put', pod('a')), {}, 'ADDED'],
  ['changed', change('put', pod('a'), pod('a')), {}, 'MODIFIED'],
  ['deleted', change('delete', pod('a'), pod('a')), {}, 'DELETED'],
  ['begins to match', change('put', pod('a'), pod('b')), { labelSelector: 'app=a' }, 'ADDED'],
  ['still matches', change('put', pod('a'), pod('a')), { labelSelector: 'app=a' }, 'MODIFIED'],
  ['no longer matches', change('put', pod('b'), pod('a')), { labelSelector: 'app=a' }, 'DELETED'],
  ['never matched', change('put', pod('b'), pod('b')), { labelSelector: 'app=a' }, undefined],
  ['of another kind', change('put', pod('a')), { kind: 'Node' }, undefined],
  ['of another version', change('put', pod('a')), { apiVersion: 'apps/v1' }, undefined],
])('an object that is %s', (_, applied, filter, type) => {
  expect(changeEvent(applied, matcherOf(filter))?.type).toBe(type);
});

test('an event says who did it, when and why', () => {
  expect(changeEvent(change('put', pod('a')), all)).toMatchObject({
    object: { kind: 'Pod', metadata: { name: 'web' } },
    revision: 7,
    actor: 'kubelet',
    cause: 6,
    at: '2026-01-01T00:00:00.000Z',
    resource: 'pods',
    namespace: 'default',
    name: 'web',
  });
});

test('all subscribers get the same event of a change', () => {
  const applied = change('put', pod('a'));
  expect(changeEvent(applied, all)).toBe(changeEvent(applied, matcherOf({ labelSelector: 'app' })));
});

test('a selector that cannot be parsed is refused', () => {
  expect(() => matcherOf({ labelSelector: 'app in' })).toThrow(/unable to parse|found/);
});
