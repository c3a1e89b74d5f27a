import { compiled, findLabs, readSource } from '../../scripts/labs/folder.mjs';
import { Client } from '../service/http.mjs';

const LEARNERS = 200;
const LAB = 'zero-downtime-upgrade';

export const title = `${LEARNERS} learners of ${LAB}`;

export async function run(service) {
  await compiled('read-lab.js');
  const client = new Client(service, 8);
  const [file] = findLabs(`examples/labs/${LAB}`);
  const preparing = performance.now();
  await client.json('PUT', `/v1/labs/${LAB}`, await readSource(file));
  const prepared = performance.now() - preparing;
  const started = performance.now();
  const { items } = await client.json('POST', `/v1/labs/${LAB}/learners`, { count: LEARNERS });
  const made = performance.now() - started;
  // Started is who can work: every one of them asks for something, and waits for no other.
  const ask = ({ clusterId }) =>
    client.json('GET', `/clusters/${clusterId}/apis/apps/v1/namespaces/shop/deployments/web`);
  await Promise.all(items.map(ask));
  const usable = performance.now() - started;
  client.close();
  return [
    { row: `${LAB} prepared`, value: prepared, unit: 'ms' },
    { row: `${title}: their clusters are made`, value: made, unit: 'ms', target: 1_000, better: 'less' },
    { row: `${title}: each has answered a request`, value: usable, unit: 'ms', target: 5_000, better: 'less' },
  ];
}
