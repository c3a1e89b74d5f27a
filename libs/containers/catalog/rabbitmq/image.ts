import { databaseFiles } from '../databases.js';
import { serverImage, utc } from '../../programs/server.js';

export const image = serverImage(
  {
    names: ['rabbitmq', 'bitnami/rabbitmq'],
    tags: /^(latest|alpine|management|[34](\.\d{1,2}){0,2})(-[a-z0-9.-]+)?$/,
    layersMB: [29.5, 37.1, 0.01, 15.2, 22.8],
    files: databaseFiles('rabbitmq'),
    variant: (tag) => ({ files: databaseFiles('rabbitmq', tag) }),
    config: {
      exposedPorts: [4369, 5671, 5672, 15672, 25672],
      entrypoint: ['docker-entrypoint.sh'],
      cmd: ['rabbitmq-server'],
    },
  },
  {
    ports: [4369, 5671, 5672, 15672, 25672],
    readyAfterMs: 4000,
    stop: { afterMs: 1200, code: 0 },
    log: ({ at }) => [
      `${utc(at).rfc}.000000+00:00 [info] <0.254.0>  Starting RabbitMQ`,
      `${utc(at).rfc}.000000+00:00 [info] <0.254.0>  Server startup complete; 0 plugins started.`,
    ],
  },
);
