import { toolImage } from '../../programs/server.js';
import { LATEST } from '../../servers/databases/mongo/server/lines.js';
import { versionOf } from '../bases.js';
import { databaseFiles } from '../databases.js';

/** MongoDB runs in the pod's machine: its data are files. */
export const image = toolImage({
  names: ['mongo', 'bitnami/mongodb', 'mongodb/mongodb-community-server', 'public.ecr.aws/docker/library/mongo'],
  tags: /^(latest|noble|jammy|focal|[3-8](\.\d){0,1}(\.\d{1,2})?)(-[a-z0-9.-]+)?$/,
  layersMB: [29.5, 1.5, 14.2, 255.1],
  files: databaseFiles('mongo'),
  variant: (tag) => ({ files: databaseFiles('mongo', tag), env: { MONGO_VERSION: versionOf(tag, LATEST) } }),
  config: {
    exposedPorts: [27017],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['mongod'],
    env: { MONGO_VERSION: LATEST, HOME: '/data/db' },
  },
});
