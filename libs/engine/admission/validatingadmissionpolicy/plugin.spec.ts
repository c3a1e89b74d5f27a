import { describe, expect, test } from '@jest/globals';
import { configMap, deployment, TestServer } from '../../apiserver/testing.js';
import { DEPLOYMENTS, onConfigMaps, onDeployments, policyServer, rules } from '../policy/testing.js';
import { CONFIGMAPS, ok, REGISTRATION } from '../testing.js';

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
    const server = policyServer('validating', few(fields));
    expect(server.post(DEPLOYMENTS, deployment('web', 5)).status).toBe(201);
    const { body } = server.post(DEPLOYMENTS, deployment('many', 6));
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
      policyServer('validating', few({ reason: 'Forbidden' })).post(DEPLOYMENTS, deployment('many', 6)).body,
    ).toMatchObject({ code: 403, reason: 'Forbidden' }));
  test('without a binding does nothing', () => {
    const server = new TestServer();
    ok(server.post(`${REGISTRATION}/validatingadmissionpolicies`, { metadata: { name: 'p' }, spec: few() }));
    expect(server.post(DEPLOYMENTS, deployment('many', 6)).status).toBe(201);
  });

  test('that warns lets it pass', () => {
    const answer = policyServer('validating', few(), { validationActions: ['Warn', 'Audit'] }).post(
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
    const server = policyServer('validating', {
      ...onConfigMaps,
      failurePolicy,
      validations: [{ expression: 'object.data.none == "1"' }],
    });
    expect(server.post(CONFIGMAPS, configMap('c')).body.message).toBe(message);
  });

  test('is about updates and deletes, too', () => {
    const server = policyServer('validating', {
      matchConstraints: rules(['configmaps'], [''], ['UPDATE', 'DELETE']),
      validations: [{ expression: 'object != null && object.data == oldObject.data', message: 'stays' }],
    });
    ok(server.post(CONFIGMAPS, configMap('c')));
    expect(server.patch(`${CONFIGMAPS}/c`, { data: { a: '2' } }).body.message).toBe(
      `configmaps "c" is forbidden: ${DENIED}stays`,
    );
    expect(server.call('DELETE', `${CONFIGMAPS}/c`).body.message).toBe(`configmaps "c" is forbidden: ${DENIED}stays`);
    expect(server.patch(`${CONFIGMAPS}/c`, { metadata: { labels: { a: 'b' } } }).status).toBe(200);
  });

  test('is not about policies', () => {
    const server = policyServer('validating', {
      matchConstraints: rules(['*'], ['*'], ['*']),
      validations: [{ expression: 'false' }],
    });
    expect(server.call('DELETE', `${REGISTRATION}/validatingadmissionpolicybindings/b`).status).toBe(200);
  });

  test('whose binding cannot be configured denies, whatever the actions are', () => {
    const server = policyServer(
      'validating',
      { ...onDeployments, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, validations: [{ expression: 'true' }] },
      { paramRef: { name: 'none', parameterNotFoundAction: 'Deny' }, validationActions: ['Warn'] },
    );
    expect(server.post(DEPLOYMENTS, deployment('web')).body.message).toBe(
      `deployments.apps "web" is forbidden: ${DENIED}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
    );
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
      new TestServer().post(`${REGISTRATION}/validatingadmissionpolicies`, {
        metadata: { name: 'p' },
        spec: { ...onConfigMaps, ...spec },
      }).body.message,
    ).toBe(`ValidatingAdmissionPolicy.admissionregistration.k8s.io "p" is invalid: ${message}`),
  );
});
