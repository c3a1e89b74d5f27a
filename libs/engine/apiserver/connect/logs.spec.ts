import { describe, expect, test } from '@jest/globals';
import { pod, TestServer } from '../testing.js';

const LOG = '/api/v1/namespaces/default/pods/web/log';

function withPod(
  status: Record<string, unknown>,
  containers = ['app'],
  nodeName: string | undefined = 'worker-1',
): TestServer {
  const server = new TestServer((_, options) => ({
    type: 'body',
    status: 200,
    headers: {},
    body: JSON.stringify(options),
  }));
  const object = pod('web') as any;
  server.put('pods', {
    ...object,
    metadata: { name: 'web', namespace: 'default', uid: 'u' },
    spec: { nodeName, containers: containers.map((name) => ({ name, image: 'nginx' })) },
    status: { containerStatuses: [{ name: containers[0], ...status }] },
  });
  return server;
}
const running = { state: { running: {} }, lastState: {} };

describe('logs', () => {
  test('of the only container, with the options asked for', () => {
    const { text } = withPod(running).get(`${LOG}?follow=true&tailLines=5&timestamps=true`);
    expect(JSON.parse(text)).toEqual({
      container: 'app',
      follow: true,
      previous: false,
      timestamps: true,
      tailLines: 5,
    });
  });
  test('of a pod that no node has yet are empty', () =>
    expect(withPod(running, ['app'], '').get(LOG)).toMatchObject({ status: 200, text: '' }));

  test.each<[string, Record<string, unknown>, string[], string, number, string]>([
    [
      'several containers',
      running,
      ['a', 'b'],
      '',
      400,
      'a container name must be specified for pod web, choose one of: [a b]',
    ],
    ['an unknown container', running, ['a'], '?container=x', 400, 'container x is not valid for pod web'],
    [
      'no earlier run',
      running,
      ['a'],
      '?previous=true',
      400,
      'previous terminated container "a" in pod "web" not found',
    ],
    [
      'a container that waits',
      { state: { waiting: { reason: 'ContainerCreating' } } },
      ['a'],
      '',
      400,
      'container "a" in pod "web" is waiting to start: ContainerCreating',
    ],
    [
      'a pull that fails',
      { state: { waiting: { reason: 'ImagePullBackOff' } } },
      ['a'],
      '',
      400,
      'container "a" in pod "web" is waiting to start: trying and failing to pull image',
    ],
    [
      'a negative tail',
      running,
      ['a'],
      '?tailLines=-1',
      422,
      'PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'no bytes',
      running,
      ['a'],
      '?limitBytes=0',
      422,
      'PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0',
    ],
  ])('%s', (_, status, containers, query, code, message) => {
    expect(withPod(status, containers).get(LOG + query).body).toMatchObject({ code, message });
  });
});
