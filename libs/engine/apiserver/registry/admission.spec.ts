import { describe, expect, test } from '@jest/globals';
import { configMap, pod, TestServer } from '../testing.js';

const PODS = '/api/v1/namespaces/default/pods';
const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;
const resources = (requests: object, limits?: object): object => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, limits } }],
});

describe('NamespaceLifecycle', () => {
  test('nothing is made in a namespace that goes', () => {
    const server = new TestServer();
    server.post('/api/v1/namespaces', { metadata: { name: 'going' } });
    expect(server.call('DELETE', '/api/v1/namespaces/going').body.status.phase).toBe('Terminating');
    const { body } = server.post('/api/v1/namespaces/going/configmaps', configMap('x'));
    expect(body).toMatchObject({
      code: 403,
      message:
        'configmaps "x" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace going is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });
  test.each(['default', 'kube-system'])('%s stays', (name) => {
    expect(new TestServer().call('DELETE', `/api/v1/namespaces/${name}`).body.message).toBe(
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
  });
});

describe('ServiceAccount', () => {
  test('a pod gets its account and the token volume', () => {
    const { body } = new TestServer().post(PODS, pod('web'));
    const volume = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    expect(body.spec).toMatchObject({
      serviceAccount: 'default',
      serviceAccountName: 'default',
      volumes: [
        {
          name: volume,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt' } },
              { downwardAPI: {} },
            ],
          },
        },
      ],
    });
    expect(body.spec.containers[0].volumeMounts).toEqual([
      { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: body.spec.volumes[0].name, readOnly: true },
    ]);
  });
  test('unless it does not want one', () =>
    expect(
      new TestServer().post(PODS, pod('web', { automountServiceAccountToken: false })).body.spec.volumes,
    ).toBeUndefined());
  test.each([
    [
      pod('web', { serviceAccountName: 'nope' }),
      'pods "web" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    ],
    [
      { metadata: { generateName: 'web-' }, spec: { serviceAccountName: 'nope', containers: [] } },
      'pods "web-" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    ],
  ])('the account must exist', (body, message) => expect(refusal(new TestServer(), body)).toBe(message));
});

describe('Priority', () => {
  const withClass = (spec: object): TestServer => {
    const server = new TestServer();
    server.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000, ...spec });
    return server;
  };
  test('by name', () =>
    expect(
      withClass({ preemptionPolicy: 'Never' }).post(PODS, pod('web', { priorityClassName: 'high' })).body.spec,
    ).toMatchObject({ priority: 1000, preemptionPolicy: 'Never' }));
  test('by default', () =>
    expect(withClass({ globalDefault: true }).post(PODS, pod('web')).body.spec).toMatchObject({
      priority: 1000,
      priorityClassName: 'high',
      preemptionPolicy: 'PreemptLowerPriority',
    }));
  test('none', () =>
    expect(new TestServer().post(PODS, pod('web')).body.spec).toMatchObject({
      priority: 0,
      preemptionPolicy: 'PreemptLowerPriority',
    }));
  test('a client that leaves it out replaces the pod all the same', () => {
    const server = withClass({});
    const {
      priority: _,
      preemptionPolicy: __,
      ...spec
    } = server.post(PODS, pod('web', { priorityClassName: 'high' })).body.spec;
    const { status, body } = server.call('PUT', `${PODS}/web`, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', labels: { a: 'b' } },
      spec,
    });
    expect([status, body.spec.priority, body.spec.preemptionPolicy]).toEqual([200, 1000, 'PreemptLowerPriority']);
  });
  test('an unknown class', () =>
    expect(refusal(new TestServer(), pod('web', { priorityClassName: 'nope' }))).toBe(
      'pods "web" is forbidden: no PriorityClass with name nope was found',
    ));
  test('a second default', () =>
    expect(
      withClass({ globalDefault: true }).post('/apis/scheduling.k8s.io/v1/priorityclasses', {
        metadata: { name: 'low' },
        value: 1,
        globalDefault: true,
      }).body.message,
    ).toBe(
      'priorityclasses.scheduling.k8s.io "low" is forbidden: PriorityClass high is already marked as default. Only one default can exist',
    ));
});

describe('tolerations and classes by default', () => {
  test('a pod leaves a lost node after five minutes', () => {
    expect(new TestServer().post(PODS, pod('web')).body.spec.tolerations).toEqual(
      ['not-ready', 'unreachable'].map((k) => ({
        key: `node.kubernetes.io/${k}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      })),
    );
  });
  test('unless it tolerates everything', () =>
    expect(
      new TestServer().post(PODS, pod('web', { tolerations: [{ operator: 'Exists' }] })).body.spec.tolerations,
    ).toEqual([{ operator: 'Exists' }]));
  test('a claim gets the default storage class', () => {
    const server = new TestServer();
    server.post('/apis/storage.k8s.io/v1/storageclasses', {
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'x.y/z',
    });
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    expect(server.post('/api/v1/namespaces/default/persistentvolumeclaims', claim).body.spec.storageClassName).toBe(
      'fast',
    );
  });
  test('a runtime class must exist', () =>
    expect(refusal(new TestServer(), pod('web', { runtimeClassName: 'nope' }))).toBe(
      'pods "web" is forbidden: pod rejected: RuntimeClass "nope" not found',
    ));
});

describe('LimitRanger', () => {
  const limited = (limit: object): TestServer => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/limitranges', {
      metadata: { name: 'limits' },
      spec: { limits: [{ type: 'Container', ...limit }] },
    });
    return server;
  };
  test('fills in defaults, and says so', () => {
    const { body } = limited({ default: { cpu: '1' }, defaultRequest: { cpu: '500m' } }).post(PODS, pod('web'));
    expect(body.spec.containers[0].resources).toEqual({ limits: { cpu: '1' }, requests: { cpu: '500m' } });
    expect(body.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
      'LimitRanger plugin set: cpu request for container app; cpu limit for container app',
    );
  });
  test.each([
    [
      { max: { cpu: '1' } },
      resources({ cpu: '2' }, { cpu: '2' }),
      'pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    ],
    [
      { min: { memory: '100Mi' } },
      resources({ memory: '50Mi' }),
      'pods "web" is forbidden: minimum memory usage per Container is 100Mi, but request is 50Mi',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      resources({ cpu: '1' }, { cpu: '3' }),
      'pods "web" is forbidden: cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
  ])('%j refuses %j', (limit, spec, message) =>
    expect(refusal(limited(limit), pod('web', spec as Record<string, unknown>))).toBe(message),
  );
});

describe('ResourceQuota', () => {
  const withQuota = (hard: object): TestServer => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/resourcequotas', { metadata: { name: 'quota' }, spec: { hard } });
    return server;
  };
  test('counts', () => {
    const server = withQuota({ pods: '1' });
    expect(server.post(PODS, pod('a')).status).toBe(201);
    expect(refusal(server, pod('b'))).toBe(
      'pods "b" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
    );
  });
  test('sums', () => {
    const server = withQuota({ 'requests.cpu': '1' });
    server.post(PODS, pod('a', resources({ cpu: '700m' }) as Record<string, unknown>));
    expect(refusal(server, pod('b', resources({ cpu: '400m' }) as Record<string, unknown>))).toBe(
      'pods "b" is forbidden: exceeded quota: quota, requested: requests.cpu=400m, used: requests.cpu=700m, limited: requests.cpu=1',
    );
  });
  test('names a pod whose name was generated', () => {
    const generated = { metadata: { generateName: 'web-' }, spec: { containers: [{ name: 'app', image: 'nginx' }] } };
    expect(refusal(withQuota({ pods: '0' }), generated)).toMatch(
      /^pods "web-[a-z0-9]{5}" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=0, limited: pods=0$/,
    );
  });
  test('wants amounts stated', () =>
    expect(refusal(withQuota({ 'limits.cpu': '1', 'limits.memory': '1Gi' }), pod('a'))).toBe(
      'pods "a" is forbidden: failed quota: quota: must specify limits.cpu for: app; limits.memory for: app',
    ));
  test('counts any resource', () => {
    const server = withQuota({ 'count/configmaps': '1' });
    server.post('/api/v1/namespaces/default/configmaps', configMap('a'));
    expect(refusal(server, configMap('b'), '/api/v1/namespaces/default/configmaps')).toContain(
      'exceeded quota: quota, requested: count/configmaps=1, used: count/configmaps=1',
    );
  });
});
