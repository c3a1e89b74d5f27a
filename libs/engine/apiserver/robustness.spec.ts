import { expect, test } from '@jest/globals';
import { ALL_VERBS } from '../machinery/kind.js';
import { deployment, pod, TestServer } from './testing.js';

/** Bodies that no client means. */
const BODIES: readonly [string, unknown][] = [
  ['nothing', ''],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['half an object', '{"metadata":'],
  ['no spec', { metadata: { name: 'x' } }],
  [
    'nulls',
    {
      metadata: { name: 'x' },
      spec: null,
      status: null,
      data: null,
      rules: null,
      roleRef: null,
      subjects: null,
      webhooks: null,
    },
  ],
  ['null metadata', { metadata: null }],
  ['an empty spec', { metadata: { name: 'x' }, spec: {} }],
  ['a spec that is a list', { metadata: { name: 'x' }, spec: [] }],
  ['a spec that is a number', { metadata: { name: 'x' }, spec: 7 }],
  [
    'odd metadata',
    {
      metadata: {
        name: 'x',
        labels: { '': '' },
        annotations: { 'a b': '' },
        finalizers: [''],
        ownerReferences: [{}],
        managedFields: [{}],
      },
    },
  ],
  [
    'empty elements',
    {
      metadata: { name: 'x' },
      spec: {
        containers: [{}],
        template: {},
        rules: [{}],
        ports: [{}],
        volumes: [{}],
        taints: [{}],
        limits: [{}],
        metrics: [{}],
        selector: {},
        jobTemplate: {},
        resources: {},
      },
      rules: [{}],
      subjects: [{}],
      endpoints: [{}],
      subsets: [{}],
      webhooks: [{}],
      items: [{}],
    },
  ],
  ['a prototype', '{"metadata":{"name":"x"},"__proto__":{"polluted":true},"spec":{"__proto__":{"polluted":true}}}'],
];
const DEEP: readonly [string, string][] = [
  ['deep objects', `{"metadata":{"name":"x"},"spec":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`],
  ['deep lists', `{"metadata":{"name":"x"},"spec":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ['deep dashes', `spec:\n  ${'- '.repeat(50_000)}x`],
];
const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json; charset=utf-8',
];
const PATCHES: readonly [string, unknown][] = [
  ['application/merge-patch+json', { metadata: null, spec: null, status: null }],
  ['application/merge-patch+json', { spec: 7 }],
  ['application/strategic-merge-patch+json', { spec: { $patch: 'delete' }, metadata: { $patch: 'replace' } }],
  ['application/strategic-merge-patch+json', { '$setElementOrder/spec': 7, $retainKeys: ['metadata'] }],
  ['application/json-patch+json', [{ op: 'remove', path: '/metadata' }]],
  ['application/json-patch+json', [{ op: 'replace', path: '', value: null }]],
  ['application/json-patch+json', [null, 7]],
];

const server = new TestServer();
const kinds = server.registry.all().filter((k) => !k.internal);

test.each(kinds.map((k) => [`${k.plural}.${k.group}/${k.version}`, k] as const))(
  '%s: a body that no client means is answered with less than 500',
  (_, kind) => {
    const prefix = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
    const url = `${prefix}${kind.scope === 'Namespaced' ? '/namespaces/default' : ''}/${kind.plural}`;
    const answers: string[] = [];
    const attempt = (
      what: string,
      method: string,
      at: string,
      body?: unknown,
      headers?: Record<string, string>,
    ): void => {
      try {
        const { status } = server.call(method, at, body, headers);
        if (status >= 500 && status !== 504) answers.push(`${what}: ${status}`);
      } catch (error) {
        answers.push(`${method} ${what}: ${(error as Error).stack?.split('\n').slice(0, 4).join(' ')}`);
      }
    };
    const actions = Object.keys(kind.subresources?.actions ?? {});
    for (const [what, body] of BODIES) {
      for (const type of TYPES) attempt(what, 'POST', `${url}?dryRun=All`, body, { 'content-type': type });
      attempt(what, 'POST', url, body);
      attempt(what, 'PUT', `${url}/x`, body);
      attempt(what, 'PUT', `${url}/x/status`, body);
      attempt(what, 'PUT', `${url}/x/scale`, body);
      for (const action of actions)
        for (const method of ['POST', 'PUT']) attempt(`${action} ${what}`, method, `${url}/x/${action}`, body);
      attempt(what, 'DELETE', `${url}/x?dryRun=All`, body);
    }
    for (const [type, body] of PATCHES)
      for (const sub of ['', '/status', '/scale', ...actions.map((a) => `/${a}`)])
        attempt(JSON.stringify(body), 'PATCH', `${url}/x${sub}`, body, { 'content-type': type });
    const type = { apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version, kind: kind.kind };
    for (const [what, body] of BODIES)
      for (const sub of ['', '/status']) {
        const typed = typeof body === 'object' && body !== null ? { ...type, ...body } : body;
        for (const sent of [body, typed])
          attempt(`apply ${what}`, 'PATCH', `${url}/x${sub}?fieldManager=m&force=true`, sent, {
            'content-type': 'application/apply-patch+yaml',
          });
      }
    for (const accept of [
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    ]) {
      if ((kind.verbs ?? ALL_VERBS).includes('list')) attempt(accept, 'GET', url, undefined, { accept });
      attempt(accept, 'GET', `${url}/x`, undefined, { accept });
    }
    expect(answers).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test.each(DEEP.flatMap(([what, body]) => TYPES.map((type) => [what, type, body] as const)))(
  '%s as %s are a 400',
  (_, type, body) => {
    const { status } = server.post('/apis/apps/v1/namespaces/default/deployments', body, { 'content-type': type });
    expect(status).toBe(400);
  },
);

test.each(DEEP)('%s are a 400 for apply', (_, body) => {
  expect(server.apply('/apis/apps/v1/namespaces/default/deployments/x', 'm', body).status).toBe(400);
  expect(
    server.apply(
      '/apis/apps/v1/namespaces/default/deployments/x',
      'm',
      body.replace('{', '{"apiVersion":"apps/v1","kind":"Deployment",'),
    ).status,
  ).toBe(400);
});

const NULLED = ['spec', 'status', 'metadata'].map(
  (f) => ['application/merge-patch+json', { [f]: null }] as [string, unknown],
);
const EMPTIED = [
  { template: null },
  { template: { spec: { containers: [{}] } } },
  { selector: {} },
  { containers: [] },
  { containers: null, tolerations: [{}], volumes: [{}] },
  { replicas: -1 },
  { strategy: { rollingUpdate: {} } },
].map((spec) => ['application/merge-patch+json', { spec }] as [string, unknown]);

test.each([...PATCHES, ...NULLED, ...EMPTIED])('an existing pod and deployment survive a %s of %j', (type, body) => {
  const own = new TestServer();
  own.post('/apis/apps/v1/namespaces/default/deployments', deployment('x'));
  own.post('/api/v1/namespaces/default/pods', pod('x'));
  for (const url of ['/apis/apps/v1/namespaces/default/deployments/x', '/api/v1/namespaces/default/pods/x']) {
    for (const sub of ['', '/status', '/scale', '/binding', '/eviction'])
      expect(own.patch(`${url}${sub}`, body, type).status).toBeLessThan(500);
    expect(own.get(url).body.metadata.name).toBe('x');
  }
});
test('a patch that hides its depth in a directive is a 400', () => {
  const own = new TestServer();
  own.post('/apis/apps/v1/namespaces/default/deployments', deployment('x'));
  const deep = `{"metadata":{"$deleteFromPrimitiveList/generation":${'['.repeat(1200)}${']'.repeat(1200)}}}`;
  const { status } = own.call('PATCH', '/apis/apps/v1/namespaces/default/deployments/x', deep, {
    'content-type': 'application/strategic-merge-patch+json',
  });
  expect(status).toBe(400);
});
