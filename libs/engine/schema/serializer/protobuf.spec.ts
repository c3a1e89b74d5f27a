import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { decodeBase64 } from '../../machinery/text/base64.js';
import { ApiError } from '../../machinery/meta/status.js';
import {
  decode,
  decodeMessage,
  definitions,
  encodeMessage,
  encodeProtobuf,
  encodeProtobufList,
  encodeWatchFrame,
  PROTOBUF_TYPE,
} from '../index.js';

interface Sent {
  readonly command: string;
  readonly definition: string;
  /** What the real kubectl 1.36 sent, in base64. */
  readonly body: string;
  /** What the same command prints with --dry-run=client -o json. */
  readonly object: { apiVersion: string; kind: string };
}
const sent = JSON.parse(readFileSync(new URL('./cases/kubectl-1.36.json', import.meta.url), 'utf8')) as Sent[];

describe('what kubectl sends decodes to what it prints', () => {
  test.each(sent.map((s) => [s.command, s] as const))('%s', (_command, s) => {
    expect(decode(decodeBase64(s.body), PROTOBUF_TYPE, s.definition).value).toEqual(s.object);
  });
});

describe('what is encoded decodes to itself', () => {
  test.each(sent.map((s) => [s.command, s] as const))('%s', (_command, s) => {
    expect(decode(encodeProtobuf(s.object, s.definition), PROTOBUF_TYPE, s.definition).value).toEqual(s.object);
  });

  const container = {
    name: 'web',
    image: 'nginx',
    env: [{ name: 'A', value: 'b' }],
    ports: [{ containerPort: 80 }],
    resources: { limits: { cpu: '500m' } },
  };
  test.each<[string, string, Record<string, unknown>]>([
    ['times', 'meta.v1.ObjectMeta', { creationTimestamp: '2026-11-21T02:37:00Z', deletionGracePeriodSeconds: 0 }],
    ['times before 1970', 'meta.v1.ObjectMeta', { creationTimestamp: '1969-12-31T23:59:59Z' }],
    [
      'micro times',
      'coordination.v1.LeaseSpec',
      { renewTime: '2026-11-21T02:37:00.123456Z', leaseDurationSeconds: 40 },
    ],
    [
      'managed fields',
      'meta.v1.ManagedFieldsEntry',
      { manager: 'kubectl', fieldsV1: { 'f:spec': { 'f:replicas': {} } } },
    ],
    [
      'a volume, whose source is embedded',
      'core.v1.Volume',
      { name: 'v', secret: { secretName: 's', defaultMode: 420, optional: false } },
    ],
    [
      'a probe, whose handler is embedded',
      'core.v1.Probe',
      { httpGet: { path: '/', port: 'http' }, periodSeconds: 5, terminationGracePeriodSeconds: 0 },
    ],
    [
      'a persistent volume, whose source is embedded',
      'core.v1.PersistentVolumeSpec',
      { capacity: { storage: '1Gi' }, hostPath: { path: '/x' } },
    ],
    ['an ephemeral container', 'core.v1.EphemeralContainer', { ...container, targetContainerName: 'web' }],
    [
      'a webhook rule, embedded twice',
      'admissionregistration.v1.NamedRuleWithOperations',
      { apiGroups: ['*'], operations: ['CREATE'], resourceNames: ['a'] },
    ],
    ['a reference to a key of a secret', 'core.v1.EnvVarSource', { secretKeyRef: { name: 's', key: 'k' } }],
    [
      'negative numbers',
      'core.v1.PodSpec',
      { containers: [container], priority: -7, activeDeadlineSeconds: -9_007_199_254_740_991 },
    ],
    ['an empty storage class, which is not none', 'core.v1.PersistentVolumeClaimSpec', { storageClassName: '' }],
    ['zero replicas, which are not none', 'apps.v1.DeploymentSpec', { replicas: 0, selector: {}, template: {} }],
    ['extra values', 'authentication.v1.UserInfo', { username: 'me', extra: { scopes: ['a', 'b'] } }],
    ['text beyond ASCII', 'core.v1.ConfigMap', { data: { a: 'grüße 🌍' } }],
    ['bytes', 'core.v1.Secret', { data: { a: 'AP8=', b: '' } }],
  ])('%s', (_case, name, value) => {
    const full = name.startsWith('meta') ? `io.k8s.apimachinery.pkg.apis.${name}` : `io.k8s.api.${name}`;
    expect(decodeMessage(encodeMessage(value, full), full)).toEqual(value);
  });

  test('schemas of custom resources, with their unions', () => {
    const name = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    const value = {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        a: { type: 'array', items: { type: 'string', enum: ['x', 1, null], default: { deep: [1] } } },
        b: { additionalProperties: { type: 'string' } },
        c: { additionalProperties: false },
        d: { items: [{ type: 'string' }] },
      },
      maximum: 1.5,
      $ref: '#/x',
    };
    expect(decodeMessage(encodeMessage(value, name), name)).toEqual({
      ...value,
      properties: {
        ...value.properties,
        a: { type: 'array', items: { type: 'string', enum: ['x', 1, null], default: { deep: [1] } } },
      },
    });
  });
});

test('every field of every kind has a number, but what is not on the wire', () => {
  const without = [...definitions()].flatMap(([name, d]) =>
    Object.entries(d.fields ?? {})
      .filter(([f, x]) => x.number === undefined && f !== 'apiVersion' && f !== 'kind')
      .map(([f]) => `${name}.${f}`),
  );
  expect(without.filter((f) => !f.includes('.version.Info.'))).toEqual([]);
});

test('a watch frame begins with its length', () => {
  const frame = encodeWatchFrame('ADDED', Uint8Array.of(1, 2));
  expect([...frame]).toEqual([0, 0, 0, 13, 10, 5, 65, 68, 68, 69, 68, 18, 4, 10, 2, 1, 2]);
});

describe('broken bodies', () => {
  const pod = encodeProtobuf(
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'a' }] } } as never,
    'io.k8s.api.core.v1.Pod',
  );
  const read = (body: Uint8Array) => decode(body, PROTOBUF_TYPE, 'io.k8s.api.core.v1.Pod');
  test('no magic', () =>
    expect(() => read(Uint8Array.of(1, 2, 3))).toThrow('provided data does not appear to be a protobuf message'));
  test('cut anywhere, the answer is an object or a 400', () => {
    for (let i = 0; i < pod.length; i++) {
      try {
        read(pod.subarray(0, i));
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
      }
    }
  });
  test('any byte changed, the answer is an object or a 400', () => {
    for (let i = 4; i < pod.length; i++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const broken = pod.slice();
        broken[i] = byte;
        try {
          read(broken);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          expect([400, 415]).toContain(error.code);
        }
      }
    }
  });
});

test('a list of items that are encoded already reads as a list encoded whole', () => {
  const items = ['a', 'b'].map((name) => ({ metadata: { name, labels: { app: 'x' } }, data: { key: 'value' } }));
  const list = {
    apiVersion: 'v1',
    kind: 'ConfigMapList',
    metadata: { resourceVersion: '7', continue: 'c', remainingItemCount: 3 },
  };
  const whole = encodeProtobuf(
    { ...list, items } as { apiVersion: string; kind: string },
    'io.k8s.api.core.v1.ConfigMapList',
  );
  const pieced = encodeProtobufList(
    list,
    items.map((item) => encodeMessage(item, 'io.k8s.api.core.v1.ConfigMap')),
  );
  const read = (bytes: Uint8Array): unknown => decode(bytes, PROTOBUF_TYPE, 'io.k8s.api.core.v1.ConfigMapList').value;
  expect(read(pieced)).toEqual(read(whole));
  expect(read(pieced)).toMatchObject({ ...list, items });
});
