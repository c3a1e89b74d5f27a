import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { apiServerNames } from './api-server-names.js';

const node = (name: string, address: string, isControlPlane: boolean): object => ({
  metadata: { name, labels: isControlPlane ? { 'node-role.kubernetes.io/control-plane': '' } : {} },
  status: { addresses: [{ type: 'InternalIP', address }] },
});

test('the certificate is for the Service, its address, and the control plane’s nodes', () => {
  const read = { list: () => [node('cp', '172.18.0.2', true), node('worker', '172.18.0.3', false)] };
  const names = apiServerNames(read as unknown as Reader);
  expect(names).toEqual(
    expect.arrayContaining(['kubernetes.default.svc', '10.96.0.1', 'cp', '172.18.0.2', 'localhost']),
  );
  expect(names).not.toContain('worker');
});
