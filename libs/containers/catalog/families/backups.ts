import type { Image } from '@terrarium/engine';
import { joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian } from '../bases.js';

/** Tools that copy the data of servers. */
export const backups: readonly Image[] = [
  toolImage({
    names: ['gcr.io/google-samples/xtrabackup'],
    tags: /^(1\.0|latest)$/,
    layersMB: [51.3, 60.1],
    config: { cmd: ['bash'] },
    files: joinLayers(
      debian(),
      readPrograms('/usr/bin nmap ncat'),
      readPrograms('/usr/bin mysql mysql mysqladmin mysqldump'),
      readPrograms('/usr/bin xtrabackup xtrabackup xbstream'),
    ),
  }),
];
