import { toolImage } from '../../programs/server.js';
import { postgresFiles, postgresVariables } from './files.js';

/** PostgreSQL, whose server and tools run in the pod's machine: its data are files. */
export const image = toolImage({
  names: ['postgres', 'postgis/postgis', 'public.ecr.aws/docker/library/postgres'],
  tags: /^(latest|alpine(3\.\d{1,2})?|trixie|bookworm|bullseye|buster|(9|1[0-8])(\.\d{1,2}){0,2})(-(alpine|bookworm|bullseye|trixie)?[a-z0-9.-]*)?$/,
  layersMB: [29.8, 4.5, 1.5, 8.1, 1.2, 112.4, 0.01],
  files: postgresFiles('latest'),
  variant: (tag) => ({ files: postgresFiles(tag), env: postgresVariables(tag) }),
  config: {
    exposedPorts: [5432],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['postgres'],
    stopSignal: 'SIGINT',
    env: postgresVariables('latest'),
  },
});
