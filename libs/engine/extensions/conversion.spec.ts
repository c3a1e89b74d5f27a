import { callWebhook } from '../admission/webhook/client.js';
import type { CallWebhook } from '../machinery/requests/webhook.js';
import { describe, expect, test } from '@jest/globals';
import type { CustomResourceDefinition } from '../api/apiextensions_v1.js';
import { compileCrd } from './compile.js';
import { encodeBase64 } from '../machinery/text/base64.js';
import type { PodHttpAnswer } from '../machinery/requests/http.js';
import { pod, TestServer, type Answer } from '../apiserver/testing.js';

const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
const url = (version: string, name = ''): string =>
  `/apis/ex.io/${version}/namespaces/default/foos${name && `/${name}`}`;
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { host: { type: 'string' }, first: { type: 'string' }, last: { type: 'string', default: 'com' } },
  },
};
const json = (body: unknown): PodHttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const crd = (storage: string): CustomResourceDefinition =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.ex.io', uid: 'u' },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names: { plural: 'foos', singular: 'foo', kind: 'Foo', listKind: 'FooList' },
      versions: ['v1', 'v2'].map((name) => ({ name, served: true, storage: name === storage, schema })),
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { namespace: 'default', name: 'hook', path: '/convert' }, caBundle: CA },
        },
      },
    },
    status: { conditions: [], storedVersions: [], acceptedNames: { plural: 'foos', kind: 'Foo' } },
  }) as unknown as CustomResourceDefinition;

/** v1 has `host`, 'a.b'; v2 has `first` and `last`. */
const convert = ({ host, first, last, ...rest }: any, apiVersion: string): object =>
  apiVersion === 'ex.io/v2'
    ? { ...rest, apiVersion, first: host.split('.')[0], last: host.split('.')[1] }
    : { ...rest, apiVersion, host: `${first}.${last}` };

/** Foos in two versions that only a webhook can convert. */
class Converting extends TestServer {
  calls: string[] = [];
  answer = (converted: object[]): object => ({ convertedObjects: converted, result: { status: 'Success' } });

  constructor() {
    super(undefined, (_pod, { body }) => {
      const { request, ...review } = JSON.parse(body) as any;
      this.calls.push(`${request.objects.length} to ${request.desiredAPIVersion}`);
      return json({
        ...review,
        response: {
          uid: request.uid,
          ...this.answer(request.objects.map((o: unknown) => convert(o, request.desiredAPIVersion))),
        },
      });
    });
    ok(
      this.post('/api/v1/namespaces/default/services', {
        metadata: { name: 'hook' },
        spec: { ports: [{ port: 443 }] },
      }),
    );
    ok(this.post('/api/v1/namespaces/default/pods', pod('hook')));
    ok(
      this.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
        addressType: 'IPv4',
        ports: [{ name: '', port: 443 }],
        endpoints: [{ addresses: ['10.244.0.5'], targetRef: { kind: 'Pod', name: 'hook' } }],
      }),
    );
    this.store('v1');
  }

  private readonly callWebhook: CallWebhook = (config, review, timeoutSeconds, key) =>
    callWebhook(config, review, timeoutSeconds, { read: this.state, dial: this.server.dial, now: this.state.now }, key);

  store(version: string): void {
    for (const kind of this.registry.all().filter((k) => k.group === 'ex.io')) this.registry.remove(kind);
    for (const kind of compileCrd(crd(version), this.callWebhook)) this.registry.add(kind);
  }

  make(version: string, name: string, fields: object): Answer {
    return this.post(url(version), { apiVersion: `ex.io/${version}`, kind: 'Foo', metadata: { name }, ...fields });
  }
}
const ok = (answer: Answer): void => {
  if (answer.status >= 300) throw new Error(answer.body.message);
};

describe('a custom kind with a conversion webhook', () => {
  test('is read and written in every version', () => {
    const made = new Converting();
    ok(made.make('v1', 'a', { host: 'x.org' }));
    expect(made.calls).toEqual([]);
    expect(made.make('v2', 'b', { first: 'y' }).body).toMatchObject({
      apiVersion: 'ex.io/v2',
      first: 'y',
      last: 'com',
    });
    expect(made.object('foos', { namespace: 'default', name: 'b' })).toMatchObject({
      apiVersion: 'ex.io/v1',
      host: 'y.com',
    });
    expect(made.get(url('v2', 'a')).body).toMatchObject({
      apiVersion: 'ex.io/v2',
      first: 'x',
      last: 'org',
      metadata: { name: 'a' },
    });
    expect(made.patch(url('v2', 'a'), { first: 'z' }).body).toMatchObject({
      first: 'z',
      last: 'org',
      metadata: { generation: 2 },
    });
    expect(made.get(url('v1', 'a')).body).toMatchObject({ apiVersion: 'ex.io/v1', host: 'z.org' });
  });

  test('is listed with one call', () => {
    const made = new Converting();
    for (const name of ['a', 'b', 'c']) ok(made.make('v1', name, { host: 'x.org' }));
    expect(made.get(url('v2')).body.items.map((i: any) => [i.apiVersion, i.first])).toEqual([
      ['ex.io/v2', 'x'],
      ['ex.io/v2', 'x'],
      ['ex.io/v2', 'x'],
    ]);
    expect(made.calls).toEqual(['3 to ex.io/v2']);
  });

  test('stays in the version it was stored in until it is written again', () => {
    const made = new Converting();
    ok(made.make('v1', 'a', { host: 'x.org' }));
    made.store('v2');
    expect(made.get(url('v1', 'a')).body).toMatchObject({ apiVersion: 'ex.io/v1', host: 'x.org' });
    expect(made.calls).toEqual([]);
    const read = made.get(url('v2', 'a')).body;
    expect(read).toMatchObject({ apiVersion: 'ex.io/v2', first: 'x', last: 'org' });
    expect(made.object('foos', { namespace: 'default', name: 'a' })).toMatchObject({ apiVersion: 'ex.io/v1' });
    expect(made.call('PUT', url('v2', 'a'), read).body.metadata.generation).toBe(1);
    expect(made.object('foos', { namespace: 'default', name: 'a' })).toMatchObject({
      apiVersion: 'ex.io/v2',
      first: 'x',
    });
  });

  test('is watched in another version', () => {
    const made = new Converting();
    const { frames } = made.watch(`${url('v2')}?watch=true`);
    ok(made.make('v1', 'a', { host: 'x.org' }));
    made.answer = () => ({ result: { status: 'Failure', message: 'no' } });
    ok(made.make('v1', 'b', { host: 'x.org' }));
    expect(frames().map((f) => [f.type, f.object.first ?? f.object.message])).toEqual([
      ['ERROR', expect.stringContaining('failed: no')],
      ['ERROR', expect.stringContaining('failed: no')],
    ]);
    made.answer = (convertedObjects) => ({ convertedObjects, result: { status: 'Success' } });
    expect(frames().map((f) => [f.type, f.object.first ?? f.object.message])).toEqual([
      ['ADDED', 'x'],
      ['ADDED', 'x'],
    ]);
  });

  const WHAT = 'conversion webhook for ex.io/v1, Kind=Foo';
  test.each<[string, (converted: any[]) => object, string]>([
    ['says no', () => ({ result: { status: 'Failure', message: 'cannot convert' } }), `${WHAT} failed: cannot convert`],
    [
      'says no without a word',
      () => ({ result: { status: 'Failure' } }),
      `${WHAT} failed: response.result.status was 'Failure', not 'Success'`,
    ],
    [
      'answers another question',
      (convertedObjects) => ({ uid: 'q', convertedObjects, result: { status: 'Success' } }),
      `${WHAT} failed: expected response.uid="`,
    ],
    [
      'returns too few',
      () => ({ convertedObjects: [], result: { status: 'Success' } }),
      `${WHAT} returned 0 objects, expected 1`,
    ],
    [
      'returns another version',
      ([o]) => ({ convertedObjects: [{ ...o, apiVersion: 'ex.io/v9' }], result: { status: 'Success' } }),
      `${WHAT} returned invalid object at index 0: invalid groupVersion (expected ex.io/v2, received ex.io/v9)`,
    ],
    [
      'returns another kind',
      ([o]) => ({ convertedObjects: [{ ...o, kind: 'Bar' }], result: { status: 'Success' } }),
      `${WHAT} returned invalid object at index 0: invalid kind (expected Foo, received Bar)`,
    ],
    [
      'renames',
      ([o]) => ({
        convertedObjects: [{ ...o, metadata: { ...o.metadata, name: 'b' } }],
        result: { status: 'Success' },
      }),
      `${WHAT} returned invalid object: must have the same name: a != b`,
    ],
    [
      'sets bad labels',
      ([o]) => ({
        convertedObjects: [{ ...o, metadata: { ...o.metadata, labels: { 'a b': '' } } }],
        result: { status: 'Success' },
      }),
      `${WHAT} returned invalid metadata: metadata.labels: Invalid value: "a b"`,
    ],
  ])('fails when the webhook %s', (_, answer, text) => {
    const made = new Converting();
    ok(made.make('v1', 'a', { host: 'x.org' }));
    made.answer = answer;
    const { body } = made.get(url('v2', 'a'));
    expect([body.code, body.reason, body.message.startsWith(text)]).toEqual([500, undefined, true]);
    expect(made.get(url('v2')).body).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      message: expect.stringContaining(
        'storage is (re)initializing: failed to list ex.io/v2, Kind=Foo: conversion webhook',
      ),
    });
    expect(made.call('DELETE', url('v2', 'a')).status).toBe(500);
    expect(made.get(url('v1', 'a')).status).toBe(200);
  });

  test('keeps all metadata but labels and annotations', () => {
    const made = new Converting();
    ok(made.make('v1', 'a', { host: 'x.org' }));
    made.answer = (converted) => ({
      convertedObjects: converted.map((o: any) => ({
        ...o,
        metadata: { ...o.metadata, labels: { a: 'b' }, generation: 77, finalizers: ['x/y'] },
      })),
      result: { status: 'Success' },
    });
    const { metadata } = made.get(url('v2', 'a')).body;
    expect([metadata.labels, metadata.generation, metadata.finalizers]).toEqual([{ a: 'b' }, 1, undefined]);
  });

  test('fails when nobody answers', () => {
    const made = new Converting();
    ok(made.make('v1', 'a', { host: 'x.org' }));
    made.call('DELETE', '/api/v1/namespaces/default/services/hook');
    expect(made.get(url('v2', 'a')).body.message).toBe(
      `${WHAT} failed: Post "https://hook.default.svc:443/convert?timeout=30s": service "hook" not found`,
    );
  });
});

describe('an object that was stored before its schema changed', () => {
  const serve = (server: TestServer, properties: object): void => {
    const definition = crd('v1');
    definition.spec.conversion = { strategy: 'None' };
    definition.spec.versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
    ] as never;
    for (const kind of server.registry.all().filter((k) => k.group === 'ex.io')) server.registry.remove(kind);
    for (const kind of compileCrd(definition)) server.registry.add(kind);
  };
  test('has the new defaults, and lacks what is unknown now, wherever it is read', () => {
    const server = new TestServer();
    serve(server, { old: { type: 'string' } });
    ok(server.post(url('v1'), { apiVersion: 'ex.io/v1', kind: 'Foo', metadata: { name: 'a' }, old: 'x' }));
    serve(server, { color: { type: 'string', default: 'blue' } });
    const { old, color } = server.get(url('v1', 'a')).body;
    expect([old, color]).toEqual([undefined, 'blue']);
    expect(server.get(url('v1')).body.items[0].color).toBe('blue');
  });
});
