import { describe, expect, test } from '@jest/globals';
import { componentOptions } from '../write-options.js';
import { CONFIG_MAPS, deploymentConfiguration, DEPLOYMENTS, fieldsByManager, pod, TestServer } from '../../testing.js';

const leaf = {};

describe('what components write', () => {
  const component = (name: string) => componentOptions({ user: { name, groups: [] }, cause: 0 }, false);

  test.each([
    ['system:node:n', 'kubelet'],
    ['system:serviceaccount:kube-system:job-controller', 'kube-controller-manager'],
  ])('%s owns its fields of an object that is tracked, as %s', (user, manager) => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/pods?fieldManager=one', pod('p'));
    const old = server.object('pods', { namespace: 'default', name: 'p' });
    server.server.writer
      .client(component(user))
      .updateStatus(server.registry.kindFor('v1', 'Pod')!, { ...old, status: { ...old.status, phase: 'Running' } });
    expect(
      fieldsByManager(server.object('pods', { namespace: 'default', name: 'p' }))[`${manager}/Update/status`],
    ).toEqual({
      'f:status': { 'f:phase': leaf },
    });
  });

  test('the autoscaler owns replicas by way of scale', () => {
    const server = new TestServer();
    server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 }));
    server.server.writer
      .client(component('system:serviceaccount:kube-system:horizontal-pod-autoscaler'))
      .subresource(server.registry.kindFor('apps/v1', 'Deployment')!, { namespace: 'default', name: 'web' }, 'scale', {
        spec: { replicas: 5 },
      });
    expect(server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 })).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "kube-controller-manager" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  test('stays untracked on an object whose owners were reset', () => {
    const server = new TestServer();
    server.post(CONFIG_MAPS, { metadata: { name: 'a' } });
    server.patch(`${CONFIG_MAPS}/a`, { metadata: { managedFields: [{}] } });
    const old = server.object('configmaps', { namespace: 'default', name: 'a' });
    server.server.writer
      .client(component('system:serviceaccount:kube-system:x'))
      .update(server.registry.kindFor('v1', 'ConfigMap')!, { ...old, data: { a: '1' } });
    const { body } = server.get(`${CONFIG_MAPS}/a`);
    expect([body.data, body.metadata.managedFields]).toEqual([{ a: '1' }, undefined]);
  });
});
