import { describe, expect, test } from '@jest/globals';
import { encodeBase64 } from '../../machinery/base64.js';
import type { PodHttpAnswer } from '../../machinery/http.js';
import { configMap, deployment, pod, TestServer, type Answer } from '../../apiserver/testing.js';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
const SERVICE = { namespace: 'default', name: 'hook', path: '/do' };
const POST = 'Post "https://hook.default.svc:443/do?timeout=10s"';
const patch = (...operations: object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: encodeBase64(JSON.stringify(operations)),
});
const label = (name: string, value = 'yes'): object => ({ op: 'add', path: `/metadata/labels/${name}`, value });
const json = (body: unknown): PodHttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

type Say = (request: any, review: any) => object | PodHttpAnswer | { error: string };
const isHttp = (said: object): said is PodHttpAnswer => 'status' in said && typeof said.status === 'number';

/** A cluster with a Service whose pod answers as `say` does: a response, or a whole HTTP answer. */
class HookServer extends TestServer {
  readonly asked: any[] = [];

  constructor(say: Say) {
    super(undefined, (_pod, request) => {
      const review = JSON.parse(request.body) as any;
      this.asked.push(review.request);
      const said = say(review.request, review);
      if ('error' in said || isHttp(said)) return said as PodHttpAnswer;
      const { delayMs, ...response } = said as { delayMs?: number };
      return {
        ...json({
          apiVersion: review.apiVersion,
          kind: review.kind,
          response: { uid: review.request.uid, ...response },
        }),
        ...(delayMs ? { delayMs } : {}),
      };
    });
    ok(
      this.post('/api/v1/namespaces/default/services', {
        metadata: { name: 'hook' },
        spec: { ports: [{ port: 443, targetPort: 8443 }] },
      }),
    );
    ok(this.post('/api/v1/namespaces/default/pods', pod('hook')));
    ok(
      this.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
        addressType: 'IPv4',
        ports: [{ name: '', port: 8443 }],
        endpoints: [
          {
            addresses: ['10.244.0.5'],
            conditions: { ready: true },
            targetRef: { kind: 'Pod', namespace: 'default', name: 'hook' },
          },
        ],
      }),
    );
  }

  hook(type: 'validating' | 'mutating', ...webhooks: object[]): this {
    const full = webhooks.map((w, i) => ({
      name: `h${i}.x.io`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
      clientConfig: { service: SERVICE, caBundle: CA },
      ...w,
    }));
    ok(this.post(`${GROUP}/${type}webhookconfigurations`, { metadata: { name: 't' }, webhooks: full }));
    return this;
  }
}
const ok = (answer: Answer): void => {
  if (answer.status >= 300) throw new Error(answer.body.message);
};
const ALLOW: Say = () => ({ allowed: true });

describe('a validating webhook', () => {
  test.each<[string, object, number, string, string | undefined]>([
    ['without a word', {}, 400, 'denied the request without explanation', undefined],
    ['with a message', { message: 'no way', reason: 'Teapot', code: 418 }, 418, 'denied the request: no way', 'Teapot'],
    ['with a reason alone', { reason: 'because' }, 400, 'denied the request: because', 'because'],
    ['with a code that means success', { code: 200, message: 'm' }, 400, 'denied the request: m', undefined],
  ])('denies %s', (_, status, code, text, reason) => {
    const { body } = new HookServer(() => ({ allowed: false, status }))
      .hook('validating', {})
      .post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({ status: 'Failure', code, message: `admission webhook "h0.x.io" ${text}` });
    expect(body.reason).toBe(reason);
  });

  test('warns', () => {
    const answer = new HookServer(() => ({ allowed: true, warnings: ['be careful'] }))
      .hook('validating', {})
      .post(CONFIGMAPS, configMap('a'));
    expect([answer.status, answer.headers['warning']]).toEqual([201, ['299 - "be careful"']]);
  });

  test.each<[string, object | Say, object, string]>([
    [
      'refuses the connection',
      { error: 'dial tcp 10.244.0.5:8443: connect: connection refused' },
      {},
      `failed to call webhook: ${POST}: dial tcp 10.244.0.5:8443: connect: connection refused`,
    ],
    [
      'takes too long',
      { allowed: true, delayMs: 5000 },
      { timeoutSeconds: 5 },
      'failed to call webhook: Post "https://hook.default.svc:443/do?timeout=5s": context deadline exceeded',
    ],
    [
      'says nothing',
      { status: 200 },
      {},
      'failed to call webhook: 0-length response with status code: 200 and content type: application/json',
    ],
    [
      'knows no such path',
      { status: 404, body: '404 page not found\n' },
      {},
      'failed to call webhook: the server could not find the requested resource',
    ],
    [
      'breaks',
      { status: 500, body: 'boom\n' },
      {},
      'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    ],
    ['answers {}', json({}), {}, 'received invalid webhook response: webhook response was absent'],
    [
      'answers something else',
      json({ apiVersion: 'v1', kind: 'Pod' }),
      {},
      'failed to call webhook: no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'answers in another version',
      json({ apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' }),
      {},
      'failed to call webhook: converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'answers with a wrong type',
      { allowed: 'yes' },
      {},
      'failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      'patches',
      patch(label('a')),
      {},
      'received invalid webhook response: validating webhook may not return response.patch',
    ],
    [
      'is not trusted',
      ALLOW,
      { clientConfig: { service: SERVICE } },
      `failed to call webhook: ${POST}: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
    ],
    [
      'has an authority that is none',
      ALLOW,
      { clientConfig: { service: SERVICE, caBundle: encodeBase64('nonsense') } },
      'could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
    ],
    [
      'has no Service',
      ALLOW,
      { clientConfig: { service: { ...SERVICE, name: 'none' }, caBundle: CA } },
      'failed to call webhook: Post "https://none.default.svc:443/do?timeout=10s": service "none" not found',
    ],
    [
      'has no such port',
      ALLOW,
      { clientConfig: { service: { ...SERVICE, port: 44 }, caBundle: CA } },
      'failed to call webhook: Post "https://hook.default.svc:44/do?timeout=10s": no service port 44 found for service "hook"',
    ],
  ])('that %s fails the request, or is passed over', (_, said, webhook, text) => {
    const say: Say = typeof said === 'function' ? (said as Say) : () => said;
    const { body } = new HookServer(say).hook('validating', webhook).post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: failed calling webhook "h0.x.io": ${text}`,
    });
    expect(
      new HookServer(say).hook('validating', { ...webhook, failurePolicy: 'Ignore' }).post(CONFIGMAPS, configMap('a'))
        .status,
    ).toBe(201);
  });

  test('without ready endpoints fails', () => {
    const made = new HookServer(ALLOW).hook('validating', {});
    ok(
      made.patch(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/hook-1',
        [{ op: 'replace', path: '/endpoints/0/conditions/ready', value: false }],
        'json',
      ),
    );
    expect(made.post(CONFIGMAPS, configMap('a')).body.message).toBe(
      `Internal error occurred: failed calling webhook "h0.x.io": failed to call webhook: ${POST}: no endpoints available for service "hook"`,
    );
  });

  test('answers the question it was asked', () => {
    const { message } = new HookServer((r, review) => json({ ...review, response: { uid: 'other', allowed: true } }))
      .hook('validating', {})
      .post(CONFIGMAPS, configMap('a')).body;
    expect(message).toMatch(/received invalid webhook response: expected response.uid="[0-9a-f-]{36}", got "other"$/);
  });

  test.each<[string, object, number]>([
    [
      'another operation',
      { rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] }] },
      0,
    ],
    [
      'its subresources only',
      { rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/status'], operations: ['*'] }] },
      0,
    ],
    [
      'cluster-wide kinds',
      { rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'], scope: 'Cluster' }] },
      0,
    ],
    ['everything', { rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }] }, 1],
    ['another namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }, 0],
    ['other labels', { objectSelector: { matchLabels: { a: 'b' } } }, 0],
    ['a condition', { matchConditions: [{ name: 'c', expression: "object.metadata.name != 'a'" }] }, 0],
    ['a condition that holds', { matchConditions: [{ name: 'c', expression: "request.operation == 'CREATE'" }] }, 1],
  ])('for %s is asked accordingly', (_, webhook, times) => {
    const made = new HookServer(ALLOW).hook('validating', webhook);
    ok(made.post(CONFIGMAPS, configMap('a')));
    expect(made.asked).toHaveLength(times);
  });

  test('whose conditions fail forbids, or is not asked', () => {
    const matchConditions = ['k', 'l'].map((name) => ({ name, expression: `object.${name}ey == 1` }));
    const { body } = new HookServer(ALLOW).hook('validating', { matchConditions }).post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({
      code: 403,
      message: `configmaps "a" is forbidden: [expression 'object.key == 1' resulted in error: no such key: key, expression 'object.ley == 1' resulted in error: no such key: ley]`,
    });
    const passed = new HookServer(ALLOW).hook('validating', { matchConditions, failurePolicy: 'Ignore' });
    expect([passed.post(CONFIGMAPS, configMap('a')).status, passed.asked.length]).toEqual([201, 0]);
  });

  test('sees a deletion', () => {
    const made = new HookServer((r) => ({ allowed: r.operation !== 'DELETE' })).hook('validating', {});
    ok(made.post(CONFIGMAPS, configMap('a')));
    expect(made.call('DELETE', `${CONFIGMAPS}/a`).status).toBe(400);
    expect(made.asked[1]).toMatchObject({
      operation: 'DELETE',
      name: 'a',
      namespace: 'default',
      object: null,
      oldObject: { metadata: { name: 'a' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  test('is not subject to webhooks itself', () => {
    const made = new HookServer(() => ({ allowed: false })).hook('validating', {
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
    });
    expect(made.call('DELETE', `${GROUP}/validatingwebhookconfigurations/t`).status).toBe(200);
  });

  test('with side effects is not part of a dry run', () => {
    const made = new HookServer(ALLOW).hook('validating', { sideEffects: 'NoneOnDryRun' });
    expect(made.post(`${CONFIGMAPS}?dryRun=All`, configMap('a')).status).toBe(201);
    expect(made.asked[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  test('is asked in v1beta1 when it knows no other', () => {
    let version = '';
    const say: Say = (r, review) => ((version = review.apiVersion as string), { allowed: true });
    expect(
      new HookServer(say)
        .hook('validating', { admissionReviewVersions: ['v2', 'v1beta1', 'v1'] })
        .post(CONFIGMAPS, configMap('a')).status,
    ).toBe(201);
    expect(version).toBe('admission.k8s.io/v1beta1');
  });
});

describe('a mutating webhook', () => {
  const labelled = (r: any): object =>
    patch(
      r.object.metadata.labels
        ? label(`l${Object.keys(r.object.metadata.labels).length}`)
        : { op: 'add', path: '/metadata/labels', value: { l0: 'yes' } },
    );

  test('changes what is stored, and its changes have no owner', () => {
    const { metadata } = new HookServer(labelled)
      .hook('mutating', {})
      .post(`${CONFIGMAPS}?fieldManager=me`, configMap('a')).body;
    expect(metadata.labels).toEqual({ l0: 'yes' });
    expect(metadata.managedFields.map((f: any) => [f.manager, Object.keys(f.fieldsV1)])).toEqual([['me', ['f:data']]]);
  });

  test('sees an object that has no name and no uid yet', () => {
    const made = new HookServer(ALLOW).hook('mutating', {}).hook('validating', {});
    ok(made.post(CONFIGMAPS, { ...(configMap('') as object), metadata: { generateName: 'a-' } }));
    const [first, last] = made.asked;
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
  ])('that %s fails', (_, said, text) => {
    expect(new HookServer(() => said).hook('mutating', {}).post(CONFIGMAPS, configMap('a')).body).toMatchObject({
      code: 500,
      message: `Internal error occurred: ${text}`,
    });
  });

  test('makes an object that must be valid, and gets defaults', () => {
    const onPods = { rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }] };
    const say: Say = (r) =>
      patch({
        op: 'add',
        path: '/spec/initContainers',
        value: [{ name: r.name === 'bad' ? 'No!' : 'first', image: 'busybox' }],
      });
    const made = new HookServer(say).hook('mutating', onPods);
    const init = made.post('/api/v1/namespaces/default/pods', pod('a')).body.spec.initContainers[0];
    expect(init).toMatchObject({
      name: 'first',
      imagePullPolicy: 'Always',
      terminationMessagePath: '/dev/termination-log',
      volumeMounts: [{ mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
    });
    expect(made.post('/api/v1/namespaces/default/pods', pod('bad')).body.message).toContain(
      'spec.initContainers[0].name: Invalid value: "No!"',
    );
  });

  test.each([
    ['Never', ['h0', 'h1']],
    ['IfNeeded', ['h0', 'h1', 'h0']],
  ])('with reinvocationPolicy %s', (reinvocationPolicy, order) => {
    const seen: string[] = [];
    const say: Say = (r) => (
      seen.push(r.object.metadata.labels?.l0 && !r.object.metadata.labels.l1 ? 'h1' : 'h0'),
      r.object.metadata.labels?.l1 ? { allowed: true } : labelled(r)
    );
    ok(new HookServer(say).hook('mutating', { reinvocationPolicy }, {}).post(CONFIGMAPS, configMap('a')));
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
      const made = new HookServer(ALLOW).hook('mutating', { ...rules(version), matchPolicy });
      ok(made.post(url, hpa));
      expect(made.asked.map((r) => [r.kind.version, r.requestKind.version, r.object.apiVersion])).toEqual(
        times ? [[version, 'v1', `autoscaling/${version}`]] : [],
      );
    }
  });
});

describe('what is sent to a subresource', () => {
  const all = { rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['pods/*'], operations: ['*'] }] };
  const URL = '/api/v1/namespaces/default/pods/hook';

  test.each<[string, object, object]>([
    [
      'binding',
      { metadata: { name: 'hook' }, target: { name: 'node' } },
      { group: '', version: 'v1', kind: 'Binding' },
    ],
    ['eviction', { metadata: { name: 'hook' } }, { group: 'policy', version: 'v1', kind: 'Eviction' }],
  ])('%s is created, as it is, and can be denied', (subresource, body, kind) => {
    const made = new HookServer(() => ({ allowed: false, status: { message: 'no' } })).hook('validating', all);
    expect(made.post(`${URL}/${subresource}`, body).body.message).toBe(
      'admission webhook "h0.x.io" denied the request: no',
    );
    expect(made.asked).toHaveLength(1);
    expect(made.asked[0]).toMatchObject({
      operation: 'CREATE',
      name: 'hook',
      subResource: subresource,
      kind,
      requestKind: kind,
      resource: { resource: 'pods' },
      object: { kind: (kind as any).kind },
    });
  });

  test('a change of scale is shown as a Scale', () => {
    const made = new HookServer(ALLOW).hook('validating', {
      rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'], operations: ['*'] }],
    });
    ok(made.post('/apis/apps/v1/namespaces/default/deployments', deployment('web', 1)));
    ok(made.patch('/apis/apps/v1/namespaces/default/deployments/web/scale', { spec: { replicas: 3 } }));
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    expect(made.asked[0]).toMatchObject({
      operation: 'UPDATE',
      subResource: 'scale',
      kind: scale,
      requestKind: scale,
      resource: { group: 'apps', resource: 'deployments' },
      object: { kind: 'Scale', spec: { replicas: 3 } },
      oldObject: { kind: 'Scale', spec: { replicas: 1 } },
    });
  });

  test.each<[string, object]>([
    [
      'exec?container=app&command=ls&command=-l&stdout=true',
      { kind: 'PodExecOptions', apiVersion: 'v1', stdout: true, container: 'app', command: ['ls', '-l'] },
    ],
    ['attach?container=app&stdin=true', { kind: 'PodAttachOptions', apiVersion: 'v1', stdin: true, container: 'app' }],
    ['proxy/', { kind: 'PodProxyOptions', apiVersion: 'v1', path: '/' }],
  ])('a connection to %s', (path, object) => {
    const made = new HookServer(() => ({ allowed: false, status: { message: 'no' } })).hook('validating', all);
    expect(made.get(`${URL}/${path}`).body.message).toBe('admission webhook "h0.x.io" denied the request: no');
    expect(made.asked[0]).toMatchObject({ operation: 'CONNECT', name: 'hook', namespace: 'default', options: null });
    expect(made.asked[0].object).toEqual(object);
  });
});
