import { measureCpu } from '../service/cpu.mjs';
import { Client } from '../service/http.mjs';
import { latestRevision, pod, podsPath, waitForPods } from '../service/pods.mjs';

const SETTLE_MS = 10_000;
const MEASURED_MS = 30_000;
const LOOP = 'while true; do wget -q -O- http://web >/dev/null; sleep 0.01; done';

export const title = 'a loop of 100 requests a second between two pods';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function run(service) {
  const client = new Client(service);
  const { id } = await client.cluster({ nodes: 2 });
  await client.json('POST', `/clusters/${id}/api/v1/namespaces/default/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await client.json('POST', podsPath(id), pod('web', { image: 'nginx:1.27' }, { app: 'web' }));
  await client.json('POST', podsPath(id), pod('load', { image: 'busybox', command: ['sh', '-c', LOOP] }));
  await waitForPods(client, id, 2);
  await sleep(SETTLE_MS);
  const [cpu, before] = [measureCpu(service), await latestRevision(client, id)];
  await sleep(MEASURED_MS);
  const shares = cpu();
  const appends = ((await latestRevision(client, id)) - before) / (MEASURED_MS / 1000);
  client.close();
  return [
    ...shares.map(({ name, share }) => ({
      row: `${title}: CPU of ${name}`,
      value: share,
      unit: '% of a core',
      target: 5,
      better: 'less',
    })),
    { row: `${title}: changes`, value: appends, unit: '/s', target: 2, better: 'less' },
  ];
}
