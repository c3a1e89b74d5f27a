import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import { Pods } from '../../../kinds/index.js';

/** A server of a script, and whether its node finds it listening. */
test.each([
  ['everywhere', '0.0.0.0', false, 'True'],
  ['at the loopback alone', '127.0.0.1', false, 'False'],
  ['at the loopback of its node', '127.0.0.1', true, 'True'],
])('a program that listens %s is ready by a probe of its port: %s', (_case, address, hostNetwork, ready) => {
  const bed = new ClusterBed('instant', 1);
  const command = ['httpd', '-f', '-p', `${address}:8080`];
  const tcpSocket = { port: 8080, ...(hostNetwork ? { host: '127.0.0.1' } : {}) };
  const containers = [{ name: 'c', image: 'busybox:1.36', command, readinessProbe: { tcpSocket } }];
  bed.create(Pods, 'web', { spec: { nodeName: 'worker-1', hostNetwork, containers } });
  bed.at(30);
  const { conditions = [] } = bed.get(Pods, 'web').status;
  expect(conditions.find(({ type }) => type === 'Ready')?.status).toBe(ready);
});
