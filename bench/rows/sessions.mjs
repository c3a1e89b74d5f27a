import { execute, forward, openShell } from '../service/channels.mjs';
import { Client, quantile } from '../service/http.mjs';
import { pod, podsPath, waitForPods } from '../service/pods.mjs';

const COMMANDS = 100;
const LINES = 300;
const MIB = 1024 * 1024;
const FILE_MIB = 8;
const TRANSFERS = 12;

export const title = 'sessions of containers';

async function time(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measure(count, work) {
  const took = [];
  for (let i = 0; i < count; i++) took.push(await time(() => work(i)));
  return took;
}

/** A file that nginx serves, fetched again and again through one forwarded port. */
async function measureForward(service, path) {
  const root = '/usr/share/nginx/html';
  await execute(service, path, ['dd', 'if=/dev/zero', `of=${root}/big`, 'bs=1M', `count=${FILE_MIB}`]);
  const { request, close } = await forward(service, path, 80);
  const get = () => request('GET /big HTTP/1.1\r\nhost: x\r\n\r\n', FILE_MIB * MIB);
  await get();
  const took = await measure(TRANSFERS, get);
  close();
  return FILE_MIB / (quantile(took, 0.5) / 1000);
}

export async function run(service) {
  const client = new Client(service);
  const { id } = await client.cluster({ nodes: 1, speed: 'instant' });
  await client.json('POST', podsPath(id), pod('web', { image: 'nginx:1.27' }));
  await waitForPods(client, id, 1);
  const path = `${podsPath(id)}/web`;
  await measure(5, () => execute(service, path, ['true']));
  const commands = await measure(COMMANDS, () => execute(service, path, ['echo', 'hello']));
  const shell = await openShell(service, path);
  // The sum is printed, and not what is typed.
  const lines = await measure(LINES, (i) => shell.type(`echo =$((${i} + 100000))`, `=${100_000 + i}`));
  shell.close();
  const rate = await measureForward(service, path);
  client.close();
  return [
    { row: 'exec of one command, median', value: quantile(commands, 0.5), unit: 'ms', target: 10, better: 'less' },
    { row: 'exec of one command, p99', value: quantile(commands, 0.99), unit: 'ms', better: 'less' },
    {
      row: "a line typed into exec's shell, median",
      value: quantile(lines, 0.5),
      unit: 'ms',
      target: 10,
      better: 'less',
    },
    { row: "a line typed into exec's shell, p99", value: quantile(lines, 0.99), unit: 'ms', better: 'less' },
    { row: 'port-forward of a file', value: rate, unit: 'MiB/s', target: 50, better: 'more' },
  ];
}
