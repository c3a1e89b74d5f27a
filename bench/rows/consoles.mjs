import { measureCpu } from '../service/cpu.mjs';
import { Client, deployment, nodes } from '../service/http.mjs';
import { subscription, watch } from '../service/sockets.mjs';

const MEMBERS = 200;
const REPLICAS = 500;
const SETTLE_MS = 3_000;
const TIMEOUT_MS = 120_000;
const PICTURE = 'subscription ($id: ID!) { pictureChanges(clusterId: $id) { begins left revision at labels rows } }';

export const title = '200 consoles on one cluster, against 200 kubectl get -w';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** CPU seconds of the API while a Deployment rolls out once, with whoever `open` lets watch. */
async function rollOut(service, client, id, image, open) {
  const base = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments/web`;
  const ends = await Promise.all(Array.from({ length: MEMBERS }, open));
  await sleep(SETTLE_MS);
  const object = await client.json('GET', base);
  object.spec.template.spec.containers[0].image = image;
  const [cpu, started] = [measureCpu(service), performance.now()];
  const { metadata } = await client.json('PUT', base, object);
  for (;;) {
    await sleep(250);
    const { status } = await client.json('GET', base);
    const isSeen = status.observedGeneration === metadata.generation && status.updatedReplicas === REPLICAS;
    if (isSeen && status.readyReplicas === REPLICAS && status.replicas === REPLICAS) break;
    if (performance.now() - started > TIMEOUT_MS) throw new Error('the rollout did not end');
  }
  await sleep(SETTLE_MS);
  const share = cpu().find(({ name }) => name === 'api').share;
  const seconds = ((share / 100) * (performance.now() - started)) / 1_000;
  for (const end of ends) end();
  return seconds;
}

export async function run(service) {
  const client = new Client(service, 2);
  const { id } = await client.cluster({ nodes: nodes(20), speed: 'instant' });
  await client.json('POST', `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`, deployment(REPLICAS));
  await sleep(2 * SETTLE_MS);
  const ignore = () => undefined;
  const pods = `/clusters/${id}/api/v1/namespaces/default/pods?watch=true`;
  const watches = await rollOut(service, client, id, 'nginx:1.28', () => watch(service, pods, ignore));
  const consoles = await rollOut(service, client, id, 'nginx:1.29', () =>
    subscription(service, { query: PICTURE, variables: { id } }, ignore),
  );
  client.close();
  const what = `a Deployment of ${REPLICAS} rolls out`;
  return [
    { row: `${MEMBERS} watches while ${what}: CPU of the API`, value: watches, unit: 's', better: 'less' },
    {
      row: `${MEMBERS} consoles' pictures, the same`,
      value: consoles,
      unit: 's',
      target: watches,
      better: 'less',
    },
  ];
}
