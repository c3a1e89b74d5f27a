import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { Client } from '../../../machinery/client.js';
import { pod } from '../testing.js';
import { setPodStatus } from './status-manager.js';

test.each([
  ['another status is written', { phase: 'Running' }, 1],
  ['the same status is not', { phase: 'Pending', conditions: [] }, 0],
])('%s', (_case, status, writes) => {
  const written: Pod[] = [];
  const client = { updateStatus: (_kind: unknown, next: Pod) => written.push(next) } as unknown as Client;
  setPodStatus(client, pod({}, { phase: 'Pending', conditions: [] }), status);
  expect(written.map((p) => p.status)).toEqual(writes ? [status] : []);
});
