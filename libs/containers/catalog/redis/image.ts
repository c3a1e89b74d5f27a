import type { Start } from '@terrarium/engine';
import { redisFiles, redisVariables } from './files.js';
import { serverImage } from '../../programs/server.js';
import { versionOfStart } from '../bases.js';
import { readConfiguration } from '../../servers/redis/configuration.js';
import { LATEST, READY_MS, startLines } from '../../servers/redis/lines.js';

/** `--port 7000` of the command line. */
const portOf = ({ argv }: Start): string => (argv.includes('--port') && argv[argv.indexOf('--port') + 1]) || '6379';

/** The server takes a file or options of its own. */
const hasSettings = ({ argv }: Start): boolean => argv.slice(argv.indexOf('redis-server') + 1).length > 0;

/** A file of settings, or an option that is refused: then the program has to find out. */
function isUnusual({ argv }: Start): boolean {
  const words = argv.slice(argv.indexOf('redis-server') + 1);
  if (words[0] !== undefined && !words[0].startsWith('-')) return true;
  const { settings, problem } = readConfiguration(undefined, words);
  // What a replica has, and what an append-only file has kept, is its own.
  return problem !== '' || settings['replicaof'] !== '' || settings['appendonly'] === 'yes';
}

/** Redis and what speaks its protocol. */
export const image = serverImage(
  {
    names: [
      'redis',
      'valkey/valkey',
      'bitnami/redis',
      'public.ecr.aws/docker/library/redis',
      'registry.k8s.io/redis',
      'gcr.io/google_samples/gb-redisslave',
      'gcr.io/google-samples/gb-redisslave',
      'us-docker.pkg.dev/google-samples/containers/gke/gb-redis-follower',
    ],
    tags: /^(latest|alpine(3\.\d{1,2})?|trixie|bookworm|bullseye|buster|e2e|v\d|[2-9](\.\d{1,2}){0,2})(-(alpine|bookworm|bullseye|trixie|debian)[a-z0-9.-]*)?$/,
    layersMB: [29.8, 0.9, 1.4, 16.2, 0.001],
    files: redisFiles('latest'),
    variant: (tag) => ({ files: redisFiles(tag), env: redisVariables(tag) }),
    config: { exposedPorts: [6379], entrypoint: ['docker-entrypoint.sh'], cmd: ['redis-server'] },
  },
  {
    portsOf: (start) => [Number(portOf(start))],
    isOwnProtocol: true,
    readyAfterMs: READY_MS,
    isProgram: true,
    isUnusual,
    stop: { afterMs: 120, code: 0 },
    log(start) {
      return startLines(start.at, versionOfStart(start, LATEST), portOf(start), hasSettings(start));
    },
  },
);
