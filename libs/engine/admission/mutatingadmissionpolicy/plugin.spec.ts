import { describe, expect, test } from '@jest/globals';
import { configMap, pod } from '../../apiserver/testing.js';
import { onConfigMaps, policyServer, rules } from '../policy/testing.js';
import { CONFIGMAPS } from '../testing.js';

describe('a mutating policy', () => {
  const applying = (expression: string): object => ({
    mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
  });
  const patching = (expression: string): object => ({
    mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  });
  const onPods = { matchConstraints: rules(['pods']) };
  const PODS = '/api/v1/namespaces/default/pods';

  test('lays a configuration over the object', () => {
    const server = policyServer('mutating', {
      ...onPods,
      ...applying(
        'Object{metadata: Object.metadata{labels: {"team": "a"}}, spec: Object.spec{containers: [Object.spec.containers{name: "mesh", image: "proxy"}]}}',
      ),
    });
    const { body } = server.post(PODS, pod('web'));
    expect(body.metadata.labels).toEqual({ team: 'a' });
    expect(
      body.spec.containers
        .map((c: { name: string; image: string; imagePullPolicy: string }) => [c.name, c.image, c.imagePullPolicy])
        .sort(),
    ).toEqual([
      ['app', 'nginx', 'Always'],
      ['mesh', 'proxy', 'Always'],
    ]);
  });

  test('patches it', () => {
    const server = policyServer('mutating', {
      ...onConfigMaps,
      ...patching(
        '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("x-y"), value: string(size(object.data))}]',
      ),
    });
    expect(server.post(CONFIGMAPS, configMap('c')).body).toMatchObject({ data: { a: '1', 'x-y': '1' } });
  });

  test('leaves what its conditions exclude', () => {
    const server = policyServer('mutating', {
      ...onConfigMaps,
      matchConditions: [{ name: 'fresh', expression: '!has(object.data.b)' }],
      ...applying('Object{data: {"b": "2"}}'),
    });
    expect([
      server.post(CONFIGMAPS, configMap('c')).body.data,
      server.post(CONFIGMAPS, { metadata: { name: 'd' }, data: { b: '9' } }).body.data,
    ]).toEqual([{ a: '1', b: '2' }, { b: '9' }]);
  });

  test('cannot make an object invalid', () =>
    expect(
      policyServer('mutating', {
        ...onPods,
        ...applying('Object{spec: Object.spec{restartPolicy: "Sometimes"}}'),
      }).post(PODS, pod('web')).body.reason,
    ).toBe('Invalid'));

  test.each<[string, object]>([
    [
      'Fail',
      {
        message: `policy 'p' with binding 'b' denied request: expression 'Object{data: {"b": object.none}}' resulted in error: no such key: none`,
        reason: 'Forbidden',
      },
    ],
    ['Ignore', { data: { a: '1' } }],
  ])('that fails is a matter of its failurePolicy %s', (failurePolicy, answer) =>
    expect(
      policyServer('mutating', {
        ...onConfigMaps,
        failurePolicy,
        ...applying('Object{data: {"b": object.none}}'),
      }).post(CONFIGMAPS, configMap('c')).body,
    ).toMatchObject(answer),
  );
});
