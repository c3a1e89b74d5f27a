import { describe, expect, test } from '@jest/globals';
import { pod, PODS, TestServer } from '../../apiserver/testing.js';

const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;

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
