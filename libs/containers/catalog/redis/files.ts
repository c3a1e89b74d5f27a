import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, joinLayers, readPrograms, withAccounts } from '../../layers/index.js';
import { LATEST } from '../../servers/redis/lines.js';
import { debianOrAlpine, releaseOf, shareLayer, versionOf } from '../bases.js';

const USER = ['redis', 999, 999, '', '/home/redis', '/bin/sh'] as const;

/** The image redis: a user of its own, and /data that belongs to it. */
export function redisFiles(tag: string): ImageFiles {
  const base = debianOrAlpine(tag);
  return shareLayer(`redis ${releaseOf(base)}`, () =>
    withAccounts(
      joinLayers(
        base,
        { '/data': { ...directory(), user: 999, group: 999 } },
        readPrograms('/usr/local/bin redis redis-cli redis-server docker-entrypoint.sh=redis:entrypoint'),
      ),
      [USER],
      [['redis', 999]],
    ),
  );
}

export const redisVariables = (tag: string): Readonly<Record<string, string>> => ({
  REDIS_VERSION: versionOf(tag, LATEST),
});
