import { toolImage } from '../../programs/server.js';
import { LATEST } from '../../servers/rabbitmq/lines.js';
import { versionOf } from '../bases.js';
import { databaseFiles } from '../databases.js';

const variables = (tag: string): Readonly<Record<string, string>> => ({
  PATH: '/opt/rabbitmq/sbin:/opt/erlang/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ...{ RABBITMQ_VERSION: versionOf(tag, LATEST), RABBITMQ_DATA_DIR: '/var/lib/rabbitmq', HOME: '/var/lib/rabbitmq' },
});

/** RabbitMQ runs in the pod's machine: what lasts lies in its files. */
export const image = toolImage({
  names: ['rabbitmq', 'bitnami/rabbitmq', 'public.ecr.aws/docker/library/rabbitmq'],
  tags: /^(latest|alpine(3\.\d{1,2})?|management|[34](\.\d{1,2}){0,2})(-[a-z0-9.-]+)?$/,
  layersMB: [29.5, 37.1, 0.01, 15.2, 22.8],
  files: databaseFiles('rabbitmq'),
  variant: (tag) => ({ files: databaseFiles('rabbitmq', tag), env: variables(tag) }),
  config: {
    exposedPorts: [4369, 5671, 5672, 15672, 25672],
    entrypoint: ['docker-entrypoint.sh'],
    cmd: ['rabbitmq-server'],
    env: variables('latest'),
  },
});
