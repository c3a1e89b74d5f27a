import type { Image, Process, Start } from '@terrarium/engine';
import { serverProcess, toolImage, utc } from '../../programs/server.js';
import { kafkaFiles, LAYOUTS } from './files.js';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What is known of a broker that is one of several: it listens, and keeps nothing. */
const oneOfSeveral = serverProcess({
  ports: [9092],
  readyAfterMs: 6_000,
  log: ({ at }) => [
    `[${utc(at).rfc},000] INFO [KafkaRaftServer nodeId=1] Kafka Server started (kafka.server.KafkaRaftServer)`,
  ],
});

const SETTINGS = ['KAFKA_CONTROLLER_QUORUM_VOTERS', 'KAFKA_CFG_CONTROLLER_QUORUM_VOTERS'];

/** Brokers that are controllers together are not simulated: their summary stands for them. */
function summaryOf(start: Start): Process | undefined {
  const isOwn = start.container.command === undefined && OWN.test(start.argv.at(-1) ?? '');
  return isOwn && SETTINGS.some((name) => start.env[name]?.includes(',')) ? oneOfSeveral(start) : undefined;
}

const OWN = /\/run(?:\.sh)?$/;

/** An image with a broker, which runs in the pod's machine: its topics are files. */
export const kafkaImage = (
  names: readonly string[],
  layout: keyof typeof LAYOUTS,
  tags: RegExp,
  layersMB: readonly number[],
): Image =>
  toolImage(
    {
      ...{ names, tags, layersMB, files: kafkaFiles(layout) },
      config: {
        user: LAYOUTS[layout].account,
        exposedPorts: [9092],
        entrypoint: layout === 'apache' ? ['/__cacert_entrypoint.sh'] : [],
        cmd: [LAYOUTS[layout].entrypoint],
        workingDir: layout === 'confluent' ? '/home/appuser' : '/',
        env: {
          PATH: `${LAYOUTS[layout].tools}:${LAYOUTS[layout].java}:${PATH}`,
          ...(layout === 'confluent' ? { KAFKA_LOG_DIRS: '/var/lib/kafka/data' } : {}),
        },
      },
    },
    summaryOf,
  );
