import type { ClusterHost } from '@terrarium/host';
import type { Tasks } from '@terrarium/platform';

/** Turns that one task gives a busy cluster before it goes to the end of the queue. */
const TURNS = 8;

interface Parts {
  readonly host: Pick<ClusterHost, 'advance' | 'now'>;
  readonly tasks: Pick<Tasks, 'advance' | 'wake'>;
}

/** Runs a cluster's components until there is nothing to do, and adds one delayed task for its next wake. */
export async function advance({ host, tasks }: Parts, cluster: string): Promise<void> {
  for (let turn = 1; turn <= TURNS; turn++) {
    const { again, nextWake } = await host.advance(cluster);
    if (again) continue;
    if (nextWake !== undefined) await tasks.wake(cluster, nextWake - host.now());
    return;
  }
  tasks.advance(cluster);
}
