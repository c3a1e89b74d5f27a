import { COREFILE, type KubeObject } from '@terrarium/engine';
import type { NameAnswer } from '../../../engine/kernel/process/syscalls.js';
import type { NameQuestion } from '../../../engine/node/dns/question.js';
import { NOW, readerOf, STAMP } from '../../../engine/node/kubelet/testing.js';
import { readConfiguration } from './configuration.js';
import { answerQuestion } from './server.js';

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const service = (name: string, spec: object, createdAt = STAMP): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', creationTimestamp: createdAt },
    spec,
  }) as never;
const slice = (name: string, endpoints: object[], ports: object[] = []): KubeObject =>
  ({
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name } },
    endpoints,
    ports,
  }) as never;
const http = [{ name: 'http', port: 80 }];

/** A shop: Services of all kinds, and what stands behind them. */
const SHOP = readerOf(
  ...[namespace('shop'), namespace('empty')],
  service('web', { clusterIP: '10.96.1.1', clusterIPs: ['10.96.1.1', 'fd00::1'], ports: http }),
  service('db', { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] }),
  service('plain', { clusterIP: 'None' }),
  service('nobody', { clusterIP: 'None' }),
  service('late', { clusterIP: '10.96.1.2', ports: http }, '2026-01-01T12:05:00Z'),
  service('outside', { type: 'ExternalName', externalName: 'db.example.com' }),
  service('alias', { type: 'ExternalName', externalName: 'web.shop.svc.cluster.local' }),
  service('self', { type: 'ExternalName', externalName: 'self.shop.svc.cluster.local' }),
  slice('web', [{ addresses: ['10.244.1.8'], hostname: 'web-0', conditions: { ready: true } }], http),
  slice('plain', [{ addresses: ['10.244.1.9'], conditions: { ready: true } }]),
  slice(
    'db',
    [
      { addresses: ['10.244.1.5'], hostname: 'db-0', conditions: { ready: true } },
      { addresses: ['10.244.1.6'], conditions: { ready: true } },
      { addresses: ['10.244.1.7'], hostname: 'db-2', conditions: { ready: false } },
    ],
    [{ name: 'sql', port: 5432 }],
  ),
);

/** What the shop's CoreDNS answers; upstream servers know up.test only. */
export function askShop(name: string, type = 'A', corefile = COREFILE): NameAnswer {
  const configuration = readConfiguration(corefile, '/etc/coredns/Corefile', () => '');
  const question: NameQuestion = {
    ...{ name, type, now: NOW, from: '10.244.1.2', read: SHOP, nameservers: ['172.18.0.1'] },
    ask: (server, asked) => ({
      code: asked === 'up.test.' ? 'NOERROR' : 'NXDOMAIN',
      records: asked === 'up.test.' ? [{ name: asked, type: 'A', ttl: 60, data: server }] : [],
      delay: 1,
    }),
  };
  return answerQuestion(configuration, question);
}
