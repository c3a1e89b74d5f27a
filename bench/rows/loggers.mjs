import { execute } from '../service/channels.mjs';
import { measureCpu } from '../service/cpu.mjs';
import { Client, nodes } from '../service/http.mjs';
import { latestRevision, pod, podsPath, waitForPods } from '../service/pods.mjs';

const LOGGERS = Number(process.env.BENCH_LOGGERS ?? 1_000);
/** Of these somebody has been in: their machines are in the log. */
const ENTERED = 50;
const CONNECTIONS = 16;
const SETTLE_MS = 10_000;
const MEASURED_MS = 30_000;
const COMMAND = ['sh', '-c', 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done'];

export const title = 'containers that log once a second';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls `work` with 0 to count - 1, some at a time. */
async function each(count, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

export async function run(service) {
  const client = new Client(service, CONNECTIONS);
  const { id } = await client.cluster({ nodes: nodes(10), speed: 'instant' });
  const start = (i) => client.json('POST', podsPath(id), pod(`logger-${i}`, { image: 'busybox', command: COMMAND }));
  await each(LOGGERS, start);
  await waitForPods(client, id, LOGGERS);
  await each(ENTERED, (i) => execute(service, `${podsPath(id)}/logger-${i}`, ['true']));
  await sleep(SETTLE_MS);
  const before = await latestRevision(client, id);
  const cpu = measureCpu(service);
  await sleep(MEASURED_MS);
  const shares = cpu();
  const changes = (await latestRevision(client, id)) - before;
  client.close();
  const what = `${LOGGERS.toLocaleString('en-US')} loggers, ${ENTERED} entered before, unobserved`;
  return [
    ...shares.map(({ name, share }) => ({
      row: `${what}: CPU of ${name}`,
      value: share,
      unit: '% of a core',
      target: 1,
      better: 'less',
    })),
    { row: `${what}: changes in ${MEASURED_MS / 1000} s`, value: changes, unit: 'changes', target: 0, better: 'less' },
  ];
}
