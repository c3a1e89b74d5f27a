import { describe, expect, test } from '@jest/globals';
import type { ScalePaths } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { Widgets } from '../../runtime/testing.js';
import { scaleOf, scaleView, withReplicas } from './scale.js';

const PATHS: ScalePaths = { spec: '.spec.replicas', status: '.status.replicas', selector: '.spec.selector' };
const object = (selector: unknown): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '7', labels: { a: 'b' } },
    spec: { replicas: 3, selector },
    status: { replicas: 2 },
  }) as unknown as KubeObject;

describe('the Scale of an object', () => {
  test('has its identity, its replicas and its selector', () => {
    expect(scaleOf(object({ matchLabels: { app: 'web' } }), PATHS)).toEqual({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: 'web', namespace: 'default', uid: 'u', resourceVersion: '7', creationTimestamp: undefined },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=web' },
    });
  });

  test.each<[string, unknown, string | undefined]>([
    ['a LabelSelector', { matchExpressions: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] }, 'app in (a,b)'],
    ['a map', { app: 'web', tier: 'front' }, 'app=web,tier=front'],
    ['a text', 'app=web', 'app=web'],
    ['nothing', undefined, undefined],
  ])('whose selector is %s', (_, selector, text) =>
    expect(scaleOf(object(selector), PATHS).status!.selector).toBe(text),
  );

  test('counts 0 where it says nothing', () => {
    const { spec, status } = scaleOf({ ...object(''), spec: {}, status: undefined } as KubeObject, PATHS);
    expect([spec, status]).toEqual([{ replicas: 0 }, { replicas: 0 }]);
  });
});

test('a copy with other replicas leaves the object alone', () => {
  const before = object('');
  const after = withReplicas(before, PATHS, 9, [{ manager: 'm' }]);
  expect(after).toMatchObject({ spec: { replicas: 9, selector: '' }, metadata: { managedFields: [{ manager: 'm' }] } });
  expect(before).toEqual(object(''));
});

test('admission is shown the Scale', () => {
  const view = scaleView(Widgets, PATHS);
  expect([view.subresource, view.type.kind, view.show(object(''))]).toEqual([
    'scale',
    'Scale',
    expect.objectContaining({ kind: 'Scale', spec: { replicas: 3 } }),
  ]);
});
