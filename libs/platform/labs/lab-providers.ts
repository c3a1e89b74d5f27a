import type { Provider } from '@nestjs/common';
import { ClusterHost } from '@terrarium/host';
import type { LogStore } from '@terrarium/store';
import { Clusters } from '../clusters/clusters.js';
import type { PrismaClient } from '../database.js';
import { Tokens } from '../identity/tokens/tokens.js';
import { DATABASE, LOG_STORE } from '../injection-tokens.js';
import { Forks } from '../snapshots/forks.js';
import { LabActs } from './acts.js';
import { CheckReports } from './check-reports.js';
import { LabSessions } from './lab-sessions.js';
import { LabShell } from './lab-shell.js';
import { Labs } from './labs.js';
import { Learners } from './learners.js';
import { Replays } from './replay.js';

export const LAB_SERVICES = [Labs, Learners, LabSessions, LabActs, Replays];

/** Everything about labs, once a process. */
export const labProviders = (): Provider[] => [
  { provide: LabShell, inject: [ClusterHost], useFactory: (host: ClusterHost) => new LabShell(host) },
  { provide: CheckReports, inject: [LabShell], useFactory: (shell: LabShell) => new CheckReports(shell) },
  {
    provide: LabActs,
    inject: [DATABASE, LOG_STORE, ClusterHost],
    useFactory: (database: PrismaClient, store: LogStore, host: ClusterHost) =>
      new LabActs(database, store, async (id) => {
        const { head, now } = await host.past.present(id);
        return { revision: head, virtual: now };
      }),
  },
  {
    provide: Labs,
    inject: [DATABASE, Clusters, ClusterHost, LOG_STORE],
    useFactory: (database: PrismaClient, clusters: Clusters, host: ClusterHost, store: LogStore) =>
      new Labs(database, clusters, host, store),
  },
  {
    provide: Learners,
    inject: [DATABASE, Clusters, Forks, LOG_STORE, Tokens, LabActs, CheckReports],
    useFactory: (
      database: PrismaClient,
      clusters: Clusters,
      forks: Forks,
      store: LogStore,
      tokens: Tokens,
      acts: LabActs,
      reports: CheckReports,
    ) => new Learners({ database, clusters, forks, store, tokens, acts, reports }),
  },
  {
    provide: LabSessions,
    inject: [DATABASE, Clusters, LabActs, CheckReports, LabShell],
    useFactory: (database: PrismaClient, clusters: Clusters, acts: LabActs, reports: CheckReports, shell: LabShell) =>
      new LabSessions({ database, clusters, acts, reports, shell }),
  },
  {
    provide: Replays,
    inject: [Clusters, LabActs, LabShell],
    useFactory: (clusters: Clusters, acts: LabActs, shell: LabShell) => new Replays(clusters, acts, shell),
  },
];
