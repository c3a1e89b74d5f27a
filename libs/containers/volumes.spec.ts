import { expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate } from '@terrarium/engine';
import { catalog } from './index.js';

const template = makeTemplate({ workers: defaultWorkers(2), speed: 'realistic' }, catalog);
const [Pods, Claims] = ['Pod', 'PersistentVolumeClaim'].map((name) => kinds.find((k) => k.kind === name)!) as [
  (typeof kinds)[0],
  (typeof kinds)[0],
];

test('a claim that waits for its first consumer is bound for the node of the pod, and the pod runs', () => {
  const cluster = new Cluster({ seed: 'volumes', images: catalog });
  cluster.load(template);
  const client = cluster.client({ name: 'kubernetes-admin', groups: ['system:masters'] });
  client.create(Claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  } as never);
  client.create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'nginx:1.25', volumeMounts: [{ name: 'v', mountPath: '/v' }] }],
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }],
    },
  } as never);
  cluster.advance(cluster.state.now + 60_000);
  expect(
    (client.get(Claims, { namespace: 'default', name: 'data' }) as unknown as { status: object }).status,
  ).toMatchObject({ phase: 'Bound' });
  expect((client.get(Pods, { namespace: 'default', name: 'p' }) as unknown as { status: object }).status).toMatchObject(
    { phase: 'Running' },
  );
});
