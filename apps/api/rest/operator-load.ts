import type { nouns } from '@terrarium/platform';
import type { Registry } from 'prom-client';

/**
 * Reads single metrics, and none that is measured since the last reading: who looks here takes nothing away from what
 * scrapes them.
 */
export async function readLoad(registry: Registry, now: () => number = Date.now): Promise<nouns.ServiceLoad> {
  const values = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  const sum = async (name: string): Promise<number> =>
    (await values(name)).reduce((total, { value }) => total + value, 0);
  return {
    at: new Date(now()).toISOString(),
    tasks: Object.fromEntries((await values('terrarium_tasks')).map(({ labels, value }) => [labels['state'], value])),
    warmClusters: await sum('terrarium_warm_clusters'),
    warmBytes: await sum('terrarium_warm_bytes'),
    listeners: await sum('terrarium_listeners'),
    openRequests: await sum('terrarium_open_requests'),
    requests: await sum('terrarium_requests_total'),
    refused: await sum('terrarium_refused_total'),
    changes: await sum('terrarium_changes_total'),
    cpuSeconds: await sum('process_cpu_seconds_total'),
    residentBytes: await sum('process_resident_memory_bytes'),
  };
}
