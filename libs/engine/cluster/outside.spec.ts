import { describe, expect, test } from '@jest/globals';
import { catalog } from '../../containers/index.js';
import { encodeBase64 } from '../machinery/text/base64.js';
import type {
  ApiRequest,
  ApiResponse,
  BodyResponse,
  OutsideAnswer,
  OutsideCall,
  OutsideResponse,
} from '../machinery/requests/http.js';
import { encodeUtf8 } from '../machinery/text/utf8.js';
import { Cluster } from './cluster.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const STREAM = 2 ** 40;
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const configMap = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { a: 'b' } },
});
const request = (method: string, path: string, body?: object, query = ''): ApiRequest => ({
  method,
  path,
  query,
  headers: { 'content-type': 'application/json' },
  user: ADMIN,
  ...(body ? { body: encodeUtf8(JSON.stringify(body)) } : {}),
});
const webhook = (type: 'mutating' | 'validating', ...hosts: string[]): ApiRequest =>
  request('POST', `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`, {
    metadata: { name: 'hooks' },
    webhooks: hosts.map((host) => ({
      name: `${host}.x.io`,
      clientConfig: { url: `https://${host}.example.com/do`, caBundle: CA },
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      timeoutSeconds: 5,
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
    })),
  });

function newCluster(...setup: ApiRequest[]): Cluster {
  const cluster = new Cluster({ seed: 'outside', images: catalog });
  for (const r of [request('POST', '/api/v1/namespaces', { metadata: { name: 'default' } }), ...setup]) {
    const { status, body } = cluster.handle(r, NOW) as BodyResponse;
    if (status >= 300) throw new Error(String(body));
  }
  cluster.commit();
  return cluster;
}

type Say = (review: any) => object;
const reviewed = (call: OutsideCall, say: Say): OutsideAnswer => {
  const review = JSON.parse(call.body) as any;
  return {
    status: 200,
    body: JSON.stringify({
      apiVersion: review.apiVersion,
      kind: review.kind,
      response: { uid: review.request.uid, ...say(review) },
    }),
  };
};
const body = (response: ApiResponse | OutsideResponse): any => JSON.parse(String((response as BodyResponse).body));

/** Runs a request as a host does; `between` happens in the cluster while the answers are awaited. */
function settle(
  cluster: Cluster,
  asked: ApiRequest,
  say: Say,
  between: () => void = () => undefined,
): { response: ApiResponse; rounds: OutsideCall[][] } {
  const answers = new Map<string, OutsideAnswer>();
  const rounds: OutsideCall[][] = [];
  for (let stream = 0; rounds.length < 10; stream = STREAM) {
    const { revision } = cluster;
    const response = cluster.handle({ ...asked, outside: { stream, answers, waitedMs: 0 } }, NOW);
    if (response.type !== 'outside') return { response, rounds };
    expect(cluster.revision).toBe(revision);
    rounds.push([...response.calls]);
    for (const call of response.calls) answers.set(call.key, reviewed(call, say));
    between();
  }
  throw new Error('never settled');
}
const allow: Say = () => ({ allowed: true });

describe('a webhook with a URL', () => {
  test('cannot be called for a request that asks nobody', () => {
    const cluster = newCluster(webhook('validating', 'a'));
    expect(body(cluster.handle(request('POST', CONFIGMAPS, configMap('x')), NOW)).message).toMatch(
      /^Internal error occurred: failed calling webhook "a.x.io": failed to call webhook: Post "https:\/\/a.example.com\/do\?timeout=5s": dial tcp: lookup a.example.com: calls of addresses outside the cluster are switched off/,
    );
  });

  test('nor for a component', () => {
    const cluster = newCluster(webhook('validating', 'a'));
    expect(settle(cluster, request('POST', CONFIGMAPS, configMap('x')), allow).response.status).toBe(201);
    expect(body(cluster.handle(request('POST', CONFIGMAPS, configMap('y')), NOW)).code).toBe(500);
  });

  test('is asked once; those that validate are asked together', () => {
    const { response, rounds } = settle(
      newCluster(webhook('validating', 'a', 'b')),
      request('POST', CONFIGMAPS, configMap('x')),
      allow,
    );
    expect(response.status).toBe(201);
    expect(rounds.map((calls) => calls.map((c) => c.url))).toEqual([
      [],
      ['https://a.example.com/do?timeout=5s', 'https://b.example.com/do?timeout=5s'],
    ]);
    expect(rounds[1]![0]).toMatchObject({ caBundle: CA, timeoutSeconds: 5 });
  });

  test('has the last word', () => {
    const cluster = newCluster(webhook('validating', 'a'));
    const { response } = settle(cluster, request('POST', CONFIGMAPS, configMap('x')), () => ({
      allowed: false,
      status: { message: 'no' },
    }));
    expect(body(response).message).toBe('admission webhook "a.x.io" denied the request: no');
  });

  test('patches, and what was asked about is what is stored, whatever happens meanwhile', () => {
    const cluster = newCluster(webhook('mutating', 'a'), webhook('validating', 'b'));
    const seen: any[] = [];
    let n = 0;
    const patch = encodeBase64(JSON.stringify([{ op: 'add', path: '/metadata/labels/patched', value: 'yes' }]));
    const { response, rounds } = settle(
      cluster,
      request('POST', CONFIGMAPS, { ...configMap(''), metadata: { generateName: 'x-', labels: { a: 'b' } } }),
      (review) => (
        seen.push(review.request.object),
        seen.length === 1 ? { allowed: true, patchType: 'JSONPatch', patch } : { allowed: true }
      ),
      () => void cluster.handle(request('POST', '/api/v1/namespaces', { metadata: { name: `n${n++}` } }), NOW + 5_000),
    );
    expect(rounds.map((calls) => calls.length)).toEqual([0, 1, 1]);
    const { metadata } = body(response);
    expect(metadata.labels).toEqual({ a: 'b', patched: 'yes' });
    expect(seen[1].metadata).toMatchObject({ name: metadata.name, uid: metadata.uid, labels: metadata.labels });
  });

  test('is asked again about an object that has changed meanwhile', () => {
    const cluster = newCluster(request('POST', CONFIGMAPS, configMap('x')), webhook('validating', 'a'));
    const change = (value: string): ApiRequest => ({
      ...request('PATCH', `${CONFIGMAPS}/x`, { data: { [value]: value } }),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    let changed = false;
    const { response, rounds } = settle(cluster, change('mine'), allow, () => {
      if (!changed) settle(cluster, change('theirs'), allow);
      changed = true;
    });
    expect(body(response).data).toEqual({ mine: 'mine', theirs: 'theirs' });
    expect(rounds.map((calls) => calls.length)).toEqual([0, 1]);
    let again = 0;
    expect(
      settle(
        cluster,
        change('more'),
        allow,
        () => again++ === 1 && void settle(cluster, change(`theirs${again}`), allow),
      ).rounds.map((calls) => calls.length),
    ).toEqual([0, 1, 1]);
  });
});

test('a conversion webhook with a URL converts what is written and what is read', () => {
  const version = (name: string, storage: boolean): object => ({
    name,
    storage,
    served: true,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  });
  const cluster = newCluster(
    request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'frogs.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Namespaced',
        names: { plural: 'frogs', singular: 'frog', kind: 'Frog', listKind: 'FrogList' },
        versions: [version('v1', true), version('v2', false)],
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v1'],
            clientConfig: { url: 'https://convert.example.com', caBundle: CA },
          },
        },
      },
    }),
  );
  cluster.advance(NOW + 10_000);
  const convert: Say = ({ request: { objects, desiredAPIVersion } }) => ({
    result: { status: 'Success' },
    convertedObjects: objects.map((o: object) => ({ ...o, apiVersion: desiredAPIVersion, via: desiredAPIVersion })),
  });
  let n = 0;
  const { response } = settle(
    cluster,
    request('POST', '/apis/x.io/v2/namespaces/default/frogs', {
      apiVersion: 'x.io/v2',
      kind: 'Frog',
      metadata: { name: 'kermit' },
    }),
    convert,
    () => void cluster.handle(request('POST', '/api/v1/namespaces', { metadata: { name: `n${n++}` } }), NOW),
  );
  expect(body(response)).toMatchObject({ apiVersion: 'x.io/v2', via: 'x.io/v2' });
  expect(
    body(settle(cluster, request('GET', '/apis/x.io/v1/namespaces/default/frogs/kermit'), convert).response),
  ).toMatchObject({ via: 'x.io/v1' });
});
