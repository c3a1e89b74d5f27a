import { describe, expect, test } from '@jest/globals';
import { configMap, deployment, pod, TestServer, type Answer } from '../../apiserver/testing.js';

const GROUP = '/apis/admissionregistration.k8s.io/v1';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const rules = (resources: string[], apiGroups = [''], operations = ['CREATE', 'UPDATE']): object => ({
  resourceRules: [{ apiGroups, apiVersions: ['v1'], operations, resources }],
});
const onDeployments = { matchConstraints: rules(['deployments'], ['apps']) };
const onConfigMaps = { matchConstraints: rules(['configmaps']) };

/** A server with one policy, 'p', and one binding, 'b'. */
function server(type: 'validating' | 'mutating', spec: object, binding: object = {}): TestServer {
  const made = new TestServer();
  const actions = type === 'validating' ? { validationActions: ['Deny'] } : {};
  ok(
    made.post(`${GROUP}/${type}admissionpolicies`, {
      metadata: { name: 'p' },
      spec: { ...(type === 'mutating' ? { reinvocationPolicy: 'Never' } : {}), ...spec },
    }),
  );
  ok(
    made.post(`${GROUP}/${type}admissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', ...actions, ...binding },
    }),
  );
  return made;
}
const ok = (answer: Answer): void => {
  if (answer.status >= 300) throw new Error(answer.body.message);
};
const DENIED = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

describe('a validating policy', () => {
  const few = (fields: object = {}): object => ({
    ...onDeployments,
    validations: [{ expression: 'object.spec.replicas <= 5', ...fields }],
  });

  test.each<[string, object, string]>([
    ['names its expression', {}, 'failed expression: object.spec.replicas <= 5'],
    ['has a message', { message: 'too many' }, 'too many'],
    [
      'computes its message',
      { message: 'x', messageExpression: "'no more than 5, not ' + string(object.spec.replicas)" },
      'no more than 5, not 6',
    ],
    ['fails to compute it', { message: 'plain', messageExpression: 'string(object.none.x)' }, 'plain'],
  ])('that %s', (_, fields, message) => {
    const made = server('validating', few(fields));
    expect(made.post(DEPLOYMENTS, deployment('web', 5)).status).toBe(201);
    const { body } = made.post(DEPLOYMENTS, deployment('many', 6));
    const text = `${DENIED}${message}`;
    expect(body).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: `deployments.apps "many" is forbidden: ${text}`,
      details: { name: 'many', group: 'apps', kind: 'deployments', causes: [{ message: text }] },
    });
  });

  test('gives its reason', () =>
    expect(
      server('validating', few({ reason: 'Forbidden' })).post(DEPLOYMENTS, deployment('many', 6)).body,
    ).toMatchObject({ code: 403, reason: 'Forbidden' }));
  test('without a binding does nothing', () => {
    const made = new TestServer();
    ok(made.post(`${GROUP}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec: few() }));
    expect(made.post(DEPLOYMENTS, deployment('many', 6)).status).toBe(201);
  });

  test('that warns lets it pass', () => {
    const answer = server('validating', few(), { validationActions: ['Warn', 'Audit'] }).post(
      DEPLOYMENTS,
      deployment('many', 6),
    );
    expect([answer.status, answer.headers['warning']]).toEqual([
      201,
      [
        `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': failed expression: object.spec.replicas <= 5"`,
      ],
    ]);
  });

  test.each<[string, string, string | undefined]>([
    [
      'what goes wrong denies',
      'Fail',
      `configmaps "c" is forbidden: ${DENIED}expression 'object.data.none == "1"' resulted in error: no such key: none`,
    ],
    ['or is passed over', 'Ignore', undefined],
  ])('%s', (_, failurePolicy, message) => {
    const made = server('validating', {
      ...onConfigMaps,
      failurePolicy,
      validations: [{ expression: 'object.data.none == "1"' }],
    });
    expect(made.post(CONFIGMAPS, configMap('c')).body.message).toBe(message);
  });

  test.each<[string, object, boolean]>([
    ['another namespace', { namespaceSelector: { matchLabels: { env: 'prod' } } }, true],
    ['the same namespace', { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } }, false],
    ['other objects', { objectSelector: { matchLabels: { app: 'x' } } }, true],
    ['the same objects', { objectSelector: { matchLabels: { app: 'c' } } }, false],
    [
      'an excluded name',
      {
        excludeResourceRules: [
          { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], resourceNames: ['c'] },
        ],
      },
      true,
    ],
    [
      'cluster-scoped ones',
      {
        resourceRules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: 'Cluster' }],
      },
      true,
    ],
  ])('bound to %s', (_, matchResources, passes) => {
    const made = server('validating', { ...onConfigMaps, validations: [{ expression: 'false' }] }, { matchResources });
    expect(made.post(CONFIGMAPS, configMap('c', { app: 'c' })).status).toBe(passes ? 201 : 422);
  });

  test.each<[string, object, string | undefined]>([
    [
      'conditions that do not hold',
      {
        matchConditions: [{ name: 'a', expression: '!request.userInfo.groups.exists(g, g == "system:masters")' }],
        validations: [{ expression: 'false' }],
      },
      undefined,
    ],
    [
      'variables',
      {
        variables: [
          { name: 'keys', expression: 'object.data.map(k, k)' },
          { name: 'n', expression: 'size(variables.keys)' },
        ],
        validations: [{ expression: 'variables.n == 0', messageExpression: '"there are " + string(variables.n)' }],
      },
      'there are 1',
    ],
    [
      'the request',
      {
        validations: [
          {
            expression: 'request.operation == "DELETE"',
            messageExpression:
              'request.operation + " " + request.resource.resource + " " + request.namespace + "/" + request.name + " by " + request.userInfo.username',
          },
        ],
      },
      'CREATE configmaps default/c by kubernetes-admin',
    ],
    [
      'the namespace',
      { validations: [{ expression: 'namespaceObject.metadata.name != "default"' }] },
      'failed expression: namespaceObject.metadata.name != "default"',
    ],
    [
      'the authorizer',
      {
        validations: [
          {
            expression:
              'authorizer.group("").resource("pods").namespace("default").check("create").allowed() && authorizer.requestResource.check("create").allowed()',
          },
        ],
      },
      undefined,
    ],
    ['the old object', { validations: [{ expression: 'oldObject == null' }] }, undefined],
  ])('sees %s', (_, spec, message) =>
    expect(server('validating', { ...onConfigMaps, ...spec }).post(CONFIGMAPS, configMap('c')).body.message).toBe(
      message && `configmaps "c" is forbidden: ${DENIED}${message}`,
    ),
  );

  describe('with parameters', () => {
    const spec = {
      ...onDeployments,
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      validations: [{ expression: 'object.spec.replicas <= int(params.data.max)' }],
    };
    const bound = (ref: object): TestServer => {
      const made = server('validating', spec, { paramRef: { parameterNotFoundAction: 'Deny', ...ref } });
      ok(made.post(CONFIGMAPS, { metadata: { name: 'limits', labels: { of: 'replicas' } }, data: { max: '2' } }));
      return made;
    };
    test.each<[string, object]>([
      ['by name', { name: 'limits' }],
      ['by labels', { selector: { matchLabels: { of: 'replicas' } } }],
      ['of a namespace', { name: 'limits', namespace: 'default' }],
    ])('%s', (_, ref) => {
      const made = bound(ref);
      expect([
        made.post(DEPLOYMENTS, deployment('two', 2)).status,
        made.post(DEPLOYMENTS, deployment('three', 3)).status,
      ]).toEqual([201, 422]);
    });
    test('that are not there', () => {
      expect(bound({ name: 'none' }).post(DEPLOYMENTS, deployment('web')).body.message).toBe(
        `deployments.apps "web" is forbidden: ${DENIED}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
      );
      expect(
        bound({ name: 'none', parameterNotFoundAction: 'Allow' }).post(DEPLOYMENTS, deployment('web')).status,
      ).toBe(201);
    });
  });

  test('is about updates and deletes, too', () => {
    const made = server('validating', {
      matchConstraints: rules(['configmaps'], [''], ['UPDATE', 'DELETE']),
      validations: [{ expression: 'object != null && object.data == oldObject.data', message: 'stays' }],
    });
    ok(made.post(CONFIGMAPS, configMap('c')));
    expect(made.patch(`${CONFIGMAPS}/c`, { data: { a: '2' } }).body.message).toBe(
      `configmaps "c" is forbidden: ${DENIED}stays`,
    );
    expect(made.call('DELETE', `${CONFIGMAPS}/c`).body.message).toBe(`configmaps "c" is forbidden: ${DENIED}stays`);
    expect(made.patch(`${CONFIGMAPS}/c`, { metadata: { labels: { a: 'b' } } }).status).toBe(200);
  });

  test('is not about policies', () => {
    const made = server('validating', {
      matchConstraints: rules(['*'], ['*'], ['*']),
      validations: [{ expression: 'false' }],
    });
    expect(made.call('DELETE', `${GROUP}/validatingadmissionpolicybindings/b`).status).toBe(200);
  });

  test.each<[string, object, string]>([
    [
      'no expression',
      { validations: [{ expression: 'object.x ==' }] },
      `spec.validations[0].expression: Invalid value: "object.x ==": compilation failed: ERROR: <input>:1:12: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | object.x ==\n | ...........^`,
    ],
    [
      'no question',
      { validations: [{ expression: '1' }] },
      'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
    ],
    [
      'parameters it has not',
      { validations: [{ expression: 'params.x' }] },
      `spec.validations[0].expression: Invalid value: "params.x": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^`,
    ],
    [
      'a variable it has not',
      { variables: [{ name: 'a', expression: 'variables.b' }], validations: [{ expression: 'true' }] },
      `spec.variables[0].expression: Invalid value: "variables.b": compilation failed: ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^`,
    ],
  ])('with %s is refused', (_, spec, message) =>
    expect(
      new TestServer().post(`${GROUP}/validatingadmissionpolicies`, {
        metadata: { name: 'p' },
        spec: { ...onConfigMaps, ...spec },
      }).body.message,
    ).toBe(`ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${message}`),
  );
});

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
    const made = server('mutating', {
      ...onPods,
      ...applying(
        'Object{metadata: Object.metadata{labels: {"team": "a"}}, spec: Object.spec{containers: [Object.spec.containers{name: "mesh", image: "proxy"}]}}',
      ),
    });
    const { body } = made.post(PODS, pod('web'));
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
    const made = server('mutating', {
      ...onConfigMaps,
      ...patching(
        '[JSONPatch{op: "test", path: "/data/a", value: "1"}, JSONPatch{op: "add", path: "/data/" + jsonpatch.escapeKey("x-y"), value: string(size(object.data))}]',
      ),
    });
    expect(made.post(CONFIGMAPS, configMap('c')).body).toMatchObject({ data: { a: '1', 'x-y': '1' } });
  });

  test('leaves what its conditions exclude', () => {
    const made = server('mutating', {
      ...onConfigMaps,
      matchConditions: [{ name: 'fresh', expression: '!has(object.data.b)' }],
      ...applying('Object{data: {"b": "2"}}'),
    });
    expect([
      made.post(CONFIGMAPS, configMap('c')).body.data,
      made.post(CONFIGMAPS, { metadata: { name: 'd' }, data: { b: '9' } }).body.data,
    ]).toEqual([{ a: '1', b: '2' }, { b: '9' }]);
  });

  test('cannot make an object invalid', () =>
    expect(
      server('mutating', { ...onPods, ...applying('Object{spec: Object.spec{restartPolicy: "Sometimes"}}') }).post(
        PODS,
        pod('web'),
      ).body.reason,
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
      server('mutating', { ...onConfigMaps, failurePolicy, ...applying('Object{data: {"b": object.none}}') }).post(
        CONFIGMAPS,
        configMap('c'),
      ).body,
    ).toMatchObject(answer),
  );
});
