import type { Image } from '@terrarium/engine';
import { file, readPrograms } from '../../layers/index.js';
import { utc } from '../../programs/server.js';
import { summaryImage } from './family.js';

/** Of Google's image: ready when the ring has this node as up and normal. */
const READY_PROBE = `#!/bin/bash
nodetool status | grep -q "^UN  $POD_IP "
`;

/** Cassandra: its server is known by what it prints and listens on, `nodetool` shows the ring. */
export const cassandra: readonly Image[] = [
  summaryImage(
    {
      names: ['cassandra', 'gcr.io/google-samples/cassandra', 'bitnami/cassandra'],
      base: 'debian',
      config: {
        exposedPorts: [7000, 7001, 7199, 9042, 9160],
        entrypoint: ['docker-entrypoint.sh', 'cassandra', '-f'],
      },
      more: {
        ...readPrograms('/usr/local/bin cassandra nodetool cqlsh'),
        '/ready-probe.sh': file(READY_PROBE, 0o755),
      },
    },
    {
      ports: [9042, 7000],
      readyAfterMs: 20_000,
      log: ({ at }) => [
        `INFO  [main] ${utc(at).rfc},000 StorageService.java:2785 - Node localhost/127.0.0.1:7000 state jump to NORMAL`,
        `INFO  [main] ${utc(at).rfc},000 CassandraDaemon.java:759 - Startup complete`,
      ],
    },
  ),
];
