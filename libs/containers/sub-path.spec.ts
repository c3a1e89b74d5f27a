import { expect, test } from '@jest/globals';
import { ConfigMaps, Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

test('a ConfigMap’s subPath keeps what was there at the start, the volume follows the object', () => {
  const bed = new ClusterBed();
  const settings = bed.create(ConfigMaps, 'settings', { data: { mode: 'slow' } });
  const script =
    'cat /mode /etc/settings/mode; echo; sleep 300; cat /mode /etc/settings/mode; cat /cpu/limit; echo; sleep 1d';
  bed.create(Pods, 'web', {
    spec: {
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: ['sh', '-c', script],
          volumeMounts: [
            { name: 'v', mountPath: '/etc/settings' },
            { name: 'v', mountPath: '/mode', subPath: 'mode' },
            { name: 'cpu', mountPath: '/cpu' },
          ],
        },
      ],
      volumes: [
        { name: 'v', configMap: { name: 'settings' } },
        {
          name: 'cpu',
          downwardAPI: { items: [{ path: 'limit', resourceFieldRef: { containerName: 'c', resource: 'limits.cpu' } }] },
        },
      ],
    },
  });
  bed.at(20);
  bed.client.update(ConfigMaps, { ...settings, data: { mode: 'fast' } });
  bed.at(400);
  const path = '/api/v1/namespaces/default/pods/web/log';
  const answer = bed.cluster.handle(
    { method: 'GET', path, query: '', headers: {}, user: ADMIN },
    bed.cluster.state.now,
  );
  expect(String((answer as { body?: unknown }).body)).toMatch(/^slowslow\nslowfast[1-9]\d*\n$/);
});
