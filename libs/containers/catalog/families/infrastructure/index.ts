import type { Image } from '@terrarium/engine';
import { summaryImage } from '../family.js';
import { cluster } from './cluster.js';
import { logs } from './logs.js';
import { pages } from './pages.js';
import { proxies } from './proxies.js';
import { stores } from './stores.js';
import { watching } from './watching.js';
import type { Row } from './row.js';

const ROWS: readonly Row[] = [...watching, ...logs, ...proxies, ...stores, ...pages, ...cluster];

/** What clusters and companies run beside their own applications. Known by what they listen on, print and answer. */
export const infrastructure: readonly Image[] = ROWS.map(([names, base, command, ports, server = {}, user]) =>
  summaryImage(
    {
      names: names.split(' ').map((name) => name.replace(/^docker\.io\//, '')),
      base,
      config: {
        exposedPorts: ports,
        entrypoint: command.split(' ').map((word) => word.replaceAll('\u00a0', ' ')),
        ...(user === undefined ? {} : { user }),
      },
    },
    { ...(ports.length > 0 && !server.ports && !server.portsOf ? { ports: ports.slice(0, 1) } : {}), ...server },
  ),
);
