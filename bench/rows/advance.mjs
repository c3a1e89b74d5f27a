import { Client, nodes } from '../service/http.mjs';
import { pod, podsPath, waitForPods } from '../service/pods.mjs';

const CRON_JOBS = 20;
const PROBED = 50;
const SCRIPTS = 5;
const HOURS = 24;
/** Ten thousand times faster than real time. */
const TARGET_S = (HOURS * 3_600) / 10_000;
const LIMIT_MS = 600_000;
const POLL_MS = 100;
const ROOT = '/apis';

export const title = 'a day in a cluster that is busy, as fast as it can';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const script = (text) => ({ image: 'busybox', command: ['sh', '-c', text] });

const cronJob = (i) => ({
  metadata: { name: `cron-${i}` },
  spec: {
    schedule: `*/${5 + (i % 10)} * * * *`,
    jobTemplate: {
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', ...script('echo working; sleep 5; echo done') }] },
        },
      },
    },
  },
});
const probe = { httpGet: { path: '/', port: 80 }, periodSeconds: 10 };
const resources = { requests: { cpu: '10m' } };
const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: PROBED,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx', resources, readinessProbe: probe, livenessProbe: probe }] },
    },
  },
};
const autoscaler = {
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: PROBED,
    maxReplicas: PROBED + 10,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
  },
};

export async function run(service) {
  const client = new Client(service, 4);
  const { id } = await client.cluster({ nodes: nodes(3), speed: 'instant' });
  const path = (group, plural) => `/clusters/${id}${ROOT}/${group}/namespaces/default/${plural}`;
  await client.json('POST', path('apps/v1', 'deployments'), web);
  await client.json('POST', path('autoscaling/v2', 'horizontalpodautoscalers'), autoscaler);
  for (let i = 0; i < SCRIPTS; i++)
    await client.json('POST', podsPath(id), pod(`script-${i}`, script('while true; do date; sleep 30; done')));
  await waitForPods(client, id, PROBED + SCRIPTS);
  for (let i = 0; i < CRON_JOBS; i++) await client.json('POST', path('batch/v1', 'cronjobs'), cronJob(i));
  const seconds = await advance(client, id);
  client.close();
  const what = `${CRON_JOBS} CronJobs, ${PROBED} probed pods, ${SCRIPTS} scripts, an HPA`;
  return [{ row: `advance ${HOURS}h: ${what}`, value: seconds, unit: 's', target: TARGET_S, better: 'less' }];
}

/** Real seconds until a day has passed. */
async function advance(client, id) {
  const start = performance.now();
  const url = `/v1/clusters/${id}/clock/advances`;
  await client.json('POST', url, { name: 'day', by: `${HOURS}h` });
  for (;;) {
    const { phase } = await client.json('GET', `${url}/day`);
    const ms = performance.now() - start;
    if (phase === 'Succeeded') return ms / 1_000;
    if (phase === 'Failed' || ms > LIMIT_MS) throw new Error(`the day was not over: ${phase}`);
    await sleep(POLL_MS);
  }
}
