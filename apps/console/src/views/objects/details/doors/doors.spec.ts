import { expect, test } from '@jest/globals';
import { doorsOf } from './doors.js';

const object = (kind: string, spec: object, apiVersion = 'v1') => ({
  ...{ apiVersion, kind, metadata: { name: 'web', namespace: 'shop' } },
  spec,
});
const backend = { service: { name: 'web', port: { number: 80 } } };

test.each([
  [
    object('Pod', {
      containers: [
        {
          name: 'c',
          ports: [
            { name: 'http', containerPort: 8080 },
            { containerPort: 53, protocol: 'UDP' },
          ],
        },
        { name: 'd', ports: [{ containerPort: 8443 }] },
        { name: 'e' },
      ],
    }),
    [
      ['http 8080/TCP', 'c', '8080.web.shop.pod'],
      ['53/UDP', 'c', undefined],
      ['8443/TCP', 'd', 'https-8443.web.shop.pod'],
    ],
  ],
  [
    object('Service', {
      ports: [
        { name: 'http', port: 443, targetPort: 'web', nodePort: 30_080 },
        { name: 'https', port: 8000 },
      ],
    }),
    [
      ['http 443/TCP', '→ web, node port 30080', '443.web.shop.svc'],
      ['https 8000/TCP', '', 'https-8000.web.shop.svc'],
    ],
  ],
  [
    object(
      'Ingress',
      {
        rules: [
          { host: 'shop.test', http: { paths: [{ path: '/cart', backend }, { backend }] } },
          { host: '*.shop.test' },
          {},
        ],
      },
      'networking.k8s.io/v1',
    ),
    [
      ['shop.test', '/cart → web:80, / → web:80', 'shop.test'],
      ['*.shop.test', '', undefined],
      ['*', '', undefined],
    ],
  ],
  [object('ConfigMap', {}), []],
])('%#', (given, expected) =>
  expect(doorsOf(given).map(({ label, detail, where }) => [label, detail, where])).toEqual(expected),
);
