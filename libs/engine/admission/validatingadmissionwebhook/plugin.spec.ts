import { describe, expect, test } from '@jest/globals';
import { configMap, deployment } from '../../apiserver/testing.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { CONFIGMAPS, ok, REGISTRATION } from '../testing.js';
import { ALLOW, CA, HookServer, json, label, patch, POST, SERVICE, type Respond } from '../webhook/testing.js';

describe('a validating webhook', () => {
  test.each<[string, object, number, string, string | undefined]>([
    ['without a word', {}, 400, 'denied the request without explanation', undefined],
    ['with a message', { message: 'no way', reason: 'Teapot', code: 418 }, 418, 'denied the request: no way', 'Teapot'],
    ['with a reason alone', { reason: 'because' }, 400, 'denied the request: because', 'because'],
    ['with a code that means success', { code: 200, message: 'm' }, 400, 'denied the request: m', undefined],
  ])('denies %s', (_, status, code, text, reason) => {
    const { body } = new HookServer(() => ({ allowed: false, status }))
      .register('validating', {})
      .post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({ status: 'Failure', code, message: `admission webhook "h0.x.io" ${text}` });
    expect(body.reason).toBe(reason);
  });

  test('warns', () => {
    const answer = new HookServer(() => ({ allowed: true, warnings: ['be careful'] }))
      .register('validating', {})
      .post(CONFIGMAPS, configMap('a'));
    expect([answer.status, answer.headers['warning']]).toEqual([201, ['299 - "be careful"']]);
  });

  test.each<[string, object | Respond, object, string]>([
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
  ])('that %s fails the request, or is passed over', (_, answer, webhook, text) => {
    const respond: Respond = typeof answer === 'function' ? (answer as Respond) : () => answer;
    const { body } = new HookServer(respond).register('validating', webhook).post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({
      code: 500,
      reason: 'InternalError',
      message: `Internal error occurred: failed calling webhook "h0.x.io": ${text}`,
    });
    expect(
      new HookServer(respond)
        .register('validating', { ...webhook, failurePolicy: 'Ignore' })
        .post(CONFIGMAPS, configMap('a')).status,
    ).toBe(201);
  });

  test('without ready endpoints fails', () => {
    const server = new HookServer(ALLOW).register('validating', {});
    ok(
      server.patch(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/hook-1',
        [{ op: 'replace', path: '/endpoints/0/conditions/ready', value: false }],
        'json',
      ),
    );
    expect(server.post(CONFIGMAPS, configMap('a')).body.message).toBe(
      `Internal error occurred: failed calling webhook "h0.x.io": failed to call webhook: ${POST}: no endpoints available for service "hook"`,
    );
  });

  test('answers the question it was asked', () => {
    const { message } = new HookServer((r, review) => json({ ...review, response: { uid: 'other', allowed: true } }))
      .register('validating', {})
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
    const server = new HookServer(ALLOW).register('validating', webhook);
    ok(server.post(CONFIGMAPS, configMap('a')));
    expect(server.requests).toHaveLength(times);
  });

  test('whose conditions fail forbids, or is not asked', () => {
    const matchConditions = ['k', 'l'].map((name) => ({ name, expression: `object.${name}ey == 1` }));
    const { body } = new HookServer(ALLOW).register('validating', { matchConditions }).post(CONFIGMAPS, configMap('a'));
    expect(body).toMatchObject({
      code: 403,
      message: `configmaps "a" is forbidden: [expression 'object.key == 1' resulted in error: no such key: key, expression 'object.ley == 1' resulted in error: no such key: ley]`,
    });
    const passed = new HookServer(ALLOW).register('validating', { matchConditions, failurePolicy: 'Ignore' });
    expect([passed.post(CONFIGMAPS, configMap('a')).status, passed.requests.length]).toEqual([201, 0]);
  });

  test('sees a deletion', () => {
    const server = new HookServer((r) => ({ allowed: r.operation !== 'DELETE' })).register('validating', {});
    ok(server.post(CONFIGMAPS, configMap('a')));
    expect(server.call('DELETE', `${CONFIGMAPS}/a`).status).toBe(400);
    expect(server.requests[1]).toMatchObject({
      operation: 'DELETE',
      name: 'a',
      namespace: 'default',
      object: null,
      oldObject: { metadata: { name: 'a' } },
      options: { kind: 'DeleteOptions' },
    });
  });

  test('is not subject to webhooks itself', () => {
    const server = new HookServer(() => ({ allowed: false })).register('validating', {
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }],
    });
    expect(server.call('DELETE', `${REGISTRATION}/validatingwebhookconfigurations/t`).status).toBe(200);
  });

  test('with side effects is not part of a dry run', () => {
    const server = new HookServer(ALLOW).register('validating', { sideEffects: 'NoneOnDryRun' });
    expect(server.post(`${CONFIGMAPS}?dryRun=All`, configMap('a')).status).toBe(201);
    expect(server.requests[0]).toMatchObject({ dryRun: true, options: { dryRun: ['All'] } });
  });

  test('is asked in v1beta1 when it knows no other', () => {
    let version = '';
    const respond: Respond = (r, review) => ((version = review.apiVersion as string), { allowed: true });
    expect(
      new HookServer(respond)
        .register('validating', { admissionReviewVersions: ['v2', 'v1beta1', 'v1'] })
        .post(CONFIGMAPS, configMap('a')).status,
    ).toBe(201);
    expect(version).toBe('admission.k8s.io/v1beta1');
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
    const server = new HookServer(() => ({ allowed: false, status: { message: 'no' } })).register('validating', all);
    expect(server.post(`${URL}/${subresource}`, body).body.message).toBe(
      'admission webhook "h0.x.io" denied the request: no',
    );
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
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
    const server = new HookServer(ALLOW).register('validating', {
      rules: [{ apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments/scale'], operations: ['*'] }],
    });
    ok(server.post('/apis/apps/v1/namespaces/default/deployments', deployment('web', 1)));
    ok(server.patch('/apis/apps/v1/namespaces/default/deployments/web/scale', { spec: { replicas: 3 } }));
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    expect(server.requests[0]).toMatchObject({
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
    const server = new HookServer(() => ({ allowed: false, status: { message: 'no' } })).register('validating', all);
    expect(server.get(`${URL}/${path}`).body.message).toBe('admission webhook "h0.x.io" denied the request: no');
    expect(server.requests[0]).toMatchObject({
      operation: 'CONNECT',
      name: 'hook',
      namespace: 'default',
      options: null,
    });
    expect(server.requests[0].object).toEqual(object);
  });
});
