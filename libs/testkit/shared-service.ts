import { afterAll, beforeAll } from '@jest/globals';
import { startService, type Service } from './service.js';

/** It builds what has changed since, too. */
const START_MS = 600_000;
const CLOSE_MS = 60_000;

/** What runs for the specs of one file of jest's; `users`: how many have not ended. */
const shared: { users: number; service?: Promise<Service> } = { users: 0 };

/**
 * The running service that the specs of one file of jest's share, since each start takes 10 s of CPU: they must not
 * stop its programs. Call it where a spec begins; gives the service once its tests run. The spec's clusters are deleted
 * at its end.
 */
export function shareService(): () => Service {
  shared.users++;
  let service: Service;
  beforeAll(async () => {
    service = await (shared.service ??= startService('embedded Postgres'));
  }, START_MS);
  afterAll(async () => {
    if (--shared.users > 0) return deleteClusters(service);
    await (await shared.service)?.close();
    shared.service = undefined;
  }, CLOSE_MS);
  return () => service;
}

/** Leaves none to the specs that come after. */
export async function deleteClusters(service: Service): Promise<void> {
  const { items } = await service.call<{ items: readonly { id: string }[] }>('GET', '/v1/clusters');
  for (const { id } of items) await service.call('DELETE', `/v1/clusters/${id}`);
}
