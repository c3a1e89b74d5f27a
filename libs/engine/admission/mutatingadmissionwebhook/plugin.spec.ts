import { describe, expect, test } from '@jest/globals';
import { configMap, pod } from '../../apiserver/testing.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { CONFIGMAPS, ok } from '../testing.js';
import { ALLOW, HookServer, label, patch, type Respond } from '../webhook/testing.js';

describe('a mutating webhook', () => {
  const labelled = (r: any): object =>
    patch(
      r.object.metadata.labels
        ? label(`l${Object.keys(r.object.metadata.labels).length}`)
        : { op: 'add', path: '/metadata/labels', value: { l0: 'yes' } },
    );

  test('changes what is stored, and its changes have no owner', () => {
    const { metadata } = new HookServer(labelled)
      .register('mutating', {})
      .post(`${CONFIGMAPS}?fieldManager=me`, configMap('a')).body;
    expect(metadata.labels).toEqual({ l0: 'yes' });
    expect(metadata.managedFields.map((f: any) => [f.manager, Object.keys(f.fieldsV1)])).toEqual([['me', ['f:data']]]);
  });

  test('sees an object that has no name and no uid yet', () => {
    const server = new HookServer(ALLOW).register('mutating', {}).register('validating', {});
    ok(server.post(CONFIGMAPS, { ...(configMap('') as object), metadata: { generateName: 'a-' } }));
    const [first, last] = server.requests;
    expect([first.name, first.object.metadata.name, first.object.metadata.uid]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([last.name, last.object.metadata.uid]).toEqual([expect.stringMatching(/^a-.{5}$/), expect.any(String)]);
  });

  test.each<[string, object, string]>([
    [
      'removes what is not there',
      patch({ op: 'remove', path: '/data/zzz' }),
      "error in remove for path: '/data/zzz': Unable to remove nonexistent key: zzz: missing value",
    ],
    [
      'adds below nothing',
      patch({ op: 'add', path: '/x/y', value: 1 }),
      'add operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      'makes another type',
      patch({ op: 'add', path: '/data', value: 5 }),
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string',
    ],
    ['has no such operation', patch({ op: 'frob', path: '/x' }), 'Unexpected kind: frob'],
    [
      'sends no patch',
      { allowed: true, patchType: 'JSONPatch' },
      'failed calling webhook "h0.x.io": received invalid webhook response: webhook returned response.patchType but not response.patch',
    ],
    [
      'sends another sort of patch',
      { ...patch(label('a')), patchType: 'MergePatch' },
      'failed calling webhook "h0.x.io": unsupported patch type "MergePatch"',
    ],
    [
      'sends no JSON',
      { allowed: true, patchType: 'JSONPatch', patch: encodeBase64('{nope') },
      `failed calling webhook "h0.x.io": received undecodable patch in webhook response: invalid character 'n' looking for beginning of object key string`,
    ],
  ])('that %s fails', (_, answer, text) => {
    expect(new HookServer(() => answer).register('mutating', {}).post(CONFIGMAPS, configMap('a')).body).toMatchObject({
      code: 500,
      message: `Internal error occurred: ${text}`,
    });
  });

  test('makes an object that must be valid, and gets defaults', () => {
    const onPods = { rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] };
    const respond: Respond = (r) =>
      patch({
        op: 'add',
        path: '/spec/initContainers',
        value: [{ name: r.name === 'bad' ? 'No!' : 'first', image: 'busybox' }],
      });
    const server = new HookServer(respond).register('mutating', onPods);
    const init = server.post('/api/v1/namespaces/default/pods', pod('a')).body.spec.initContainers[0];
    expect(init).toMatchObject({
      name: 'first',
      imagePullPolicy: 'Always',
      terminationMessagePath: '/dev/termination-log',
      volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
    });
    expect(server.post('/api/v1/namespaces/default/pods', pod('bad')).body.message).toContain(
      'spec.initContainers[0].name: Invalid value: "No!"',
    );
  });

  test.each([
    ['Never', ['h0', 'h1']],
    ['IfNeeded', ['h0', 'h1', 'h0']],
  ])('with reinvocationPolicy %s', (reinvocationPolicy, order) => {
    const seen: string[] = [];
    const respond: Respond = (r) => (
      seen.push(r.object.metadata.labels?.l0 && !r.object.metadata.labels.l1 ? 'h1' : 'h0'),
      r.object.metadata.labels?.l1 ? { allowed: true } : labelled(r)
    );
    ok(new HookServer(respond).register('mutating', { reinvocationPolicy }, {}).post(CONFIGMAPS, configMap('a')));
    expect(seen).toEqual(order);
  });

  test('is told in the version that it knows', () => {
    const hpa = {
      metadata: { name: 'a' },
      spec: { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' } },
    };
    const url = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
    const rules = (version: string): object => ({
      rules: [{ apiGroups: ['autoscaling'], apiVersions: [version], resources: ['*'], operations: ['*'] }],
    });
    for (const [version, matchPolicy, times] of [
      ['v2', 'Equivalent', 1],
      ['v1', 'Exact', 1],
      ['v2', 'Exact', 0],
    ] as const) {
      const server = new HookServer(ALLOW).register('mutating', { ...rules(version), matchPolicy });
      ok(server.post(url, hpa));
      expect(server.requests.map((r) => [r.kind.version, r.requestKind.version, r.object.apiVersion])).toEqual(
        times ? [[version, 'v1', `autoscaling/${version}`]] : [],
      );
    }
  });
});
