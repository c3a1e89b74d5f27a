import { measureCpu } from '../service/cpu.mjs';
import { Client, quantile } from '../service/http.mjs';

const LEARNERS = Number(process.env.BENCH_LEARNERS ?? 1_000);
const CONNECTIONS = 64;
const COMMAND_MS = 5_000;
const RISING_MS = 15_000;
const MEASURED_MS = Number(process.env.BENCH_SECONDS ?? 60) * 1_000;
/** Milliseconds, of a thousand learners. */
const TARGET_P99 = 100;
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

export const title = `a classroom of ${LEARNERS}`;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const DEPLOYMENT = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'nginx',
            image: 'nginx:1.27',
            readinessProbe: { httpGet: { port: 80 }, periodSeconds: 5 },
            livenessProbe: { httpGet: { port: 80 }, periodSeconds: 10 },
          },
        ],
      },
    },
  },
};
const CRON_JOB = {
  metadata: { name: 'tick' },
  spec: {
    schedule: '* * * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'date; echo hello'] }],
          },
        },
      },
    },
  },
};

/** What a learner does next, as kubectl sends it: mostly `get`, sometimes `scale`, `describe`'s events or `apply`. */
function command(client, base, turn) {
  const deployments = `${base}/apis/apps/v1/namespaces/default/deployments`;
  switch (turn % 8) {
    case 0:
      return client.request('PATCH', `${deployments}/web/scale`, { spec: { replicas: 1 + (turn % 3) } }, MERGE);
    case 1:
      return client.request('GET', `${base}/api/v1/namespaces/default/events`);
    case 2:
      return client.request('PATCH', `${deployments}/web`, { metadata: { annotations: { turn: `${turn}` } } }, MERGE);
    case 3:
      return client.request('GET', `${base}/apis/batch/v1/namespaces/default/jobs`, undefined, TABLE);
    default:
      return client.request('GET', `${base}/api/v1/namespaces/default/pods`, undefined, TABLE);
  }
}
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** Creates the clusters with what the learners work on. */
async function openClassroom(client) {
  const bases = [];
  let left = LEARNERS;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const base = `/clusters/${(await client.cluster({ nodes: 2 })).id}`;
        await client.json('POST', `${base}/apis/apps/v1/namespaces/default/deployments`, DEPLOYMENT);
        await client.json('POST', `${base}/apis/batch/v1/namespaces/default/cronjobs`, CRON_JOB);
        bases.push(base);
      }
    }),
  );
  return bases;
}

/** A learner sends a command every five seconds, until `isOver`. */
async function learn(client, base, took, isOver) {
  await sleep(Math.random() * COMMAND_MS);
  for (let turn = Math.floor(Math.random() * 8); !isOver(); turn++) {
    const started = performance.now();
    const { status, text } = await command(client, base, turn);
    const ms = performance.now() - started;
    if (status > 299) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
    took.push(ms);
    await sleep(Math.max(0, COMMAND_MS - ms));
  }
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  const bases = await openClassroom(client);
  let [took, over] = [[], false];
  const record = { push: (ms) => took.push(ms) };
  const learners = bases.map((base) => learn(client, base, record, () => over));
  await sleep(RISING_MS);
  took = [];
  const cpu = measureCpu(service);
  await sleep(MEASURED_MS);
  const shares = cpu();
  const measured = took;
  over = true;
  await Promise.all(learners);
  client.close();
  return [
    { row: `${title}: a command, median`, value: quantile(measured, 0.5), unit: 'ms', better: 'less' },
    {
      row: `${title}: a command, p99`,
      value: quantile(measured, 0.99),
      unit: 'ms',
      target: TARGET_P99,
      better: 'less',
    },
    ...shares.map(({ name, share }) => ({
      row: `${title}: CPU of ${name}`,
      value: share,
      unit: '% of a core',
      better: 'less',
    })),
  ];
}
