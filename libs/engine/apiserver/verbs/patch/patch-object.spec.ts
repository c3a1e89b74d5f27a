import { describe, expect, test } from '@jest/globals';
import { deployment, DEPLOYMENTS, TestServer } from '../../testing.js';

describe('patch', () => {
  const created = (): TestServer => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    return server;
  };
  test.each<[string, string, unknown, object]>([
    ['merge', 'merge', { metadata: { labels: { a: 'b' } } }, { metadata: { labels: { a: 'b' } } }],
    ['JSON', 'json', [{ op: 'replace', path: '/spec/replicas', value: 4 }], { spec: { replicas: 4 } }],
    [
      'strategic: the container is merged by name',
      'strategic',
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'nginx:2' }] } } } },
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'nginx:2', imagePullPolicy: 'Always' }] } } } },
    ],
  ])('%s', (_, type, body, expected) => {
    const answer = created().patch(`${DEPLOYMENTS}/web`, body, type);
    expect(answer.body).toMatchObject(expected);
    expect(answer.status).toBe(200);
  });
  test.each<[string, string, unknown, number, string | RegExp]>([
    ['a type that is not served', 'text/plain', {}, 415, '415: Unsupported Media Type'],
    [
      'an unknown field, strictly',
      'merge',
      { spec: { colour: 'red' } },
      422,
      /^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spec.colour"$/,
    ],
    [
      'a failed test',
      'json',
      [{ op: 'test', path: '/spec/replicas', value: 9 }],
      422,
      'the server rejected our request due to an error in our request',
    ],
    ['an old revision', 'merge', { metadata: { resourceVersion: '1' } }, 409, /the object has been modified/],
    ['nonsense', 'merge', '{', 400, 'error decoding patch: unexpected end of JSON input'],
    ['nonsense', 'strategic', '{spec: 1}', 400, "invalid character 's' looking for beginning of object key string"],
    [
      'a wrong type',
      'merge',
      { spec: { replicas: 'x' } },
      422,
      /^ "" is invalid: patch: Invalid value: "\{\\"apiVersion.*: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32$/,
    ],
    [
      'a wrong type',
      'strategic',
      { spec: { replicas: 'x' } },
      422,
      ' "" is invalid: patch: Invalid value: "map[spec:map[replicas:x]]": unrecognized type: int32',
    ],
    [
      'a text for a map',
      'strategic',
      { metadata: { labels: 'x' } },
      422,
      ' "" is invalid: patch: Invalid value: "map[metadata:map[labels:x]]": cannot restore map from string',
    ],
    [
      'another name',
      'merge',
      { metadata: { name: 'other' } },
      400,
      'the name of the object (other) does not match the name on the URL (web)',
    ],
  ])('%s', (_, type, body, code, message) => {
    const { status, body: answer } = created().patch(`${DEPLOYMENTS}/web?fieldValidation=Strict`, body, type);
    expect(answer.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(status).toBe(code);
  });
  test('stored objects are never touched', () => {
    const server = created();
    const before = server.object('deployments', { namespace: 'default', name: 'web' });
    const text = JSON.stringify(before);
    server.patch(
      `${DEPLOYMENTS}/web`,
      { spec: { template: { spec: { containers: [{ name: 'app', image: 'x' }] } } } },
      'strategic',
    );
    server.patch(`${DEPLOYMENTS}/web`, [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }], 'json');
    expect(JSON.stringify(before)).toBe(text);
  });
});
