import { Client, quantile } from '../service/http.mjs';
import { pod, podsPath, waitForPods } from '../service/pods.mjs';

const PODS = 10;
const LINES_EACH = 1_000;
const EVERY_MS = 10;
const DEADLINE_MS = 120_000;

export const title = `${(PODS * LINES_EACH).toLocaleString('en-US')} lines of logs, followed`;

/** Follows one pod's log. Resolves with the ms from each line's own time to its arrival. */
async function follow(client, path) {
  const late = [];
  let end;
  const ended = new Promise((resolve, reject) => {
    end = resolve;
    setTimeout(() => reject(new Error(`${late.length} lines came`)), DEADLINE_MS).unref();
  });
  const stop = await client.watch(`${path}/log?follow=true&timestamps=true&tailLines=0`, (line) => {
    late.push(Date.now() - Date.parse(line.split(' ', 1)[0]));
    if (late.length === LINES_EACH) end();
  });
  await ended;
  stop();
  return late;
}

export async function run(service) {
  const client = new Client(service, PODS);
  const { id } = await client.cluster({ nodes: 2 });
  const script = `while true; do echo a line of a log; sleep ${EVERY_MS / 1000}; done`;
  for (let i = 0; i < PODS; i++)
    await client.json('POST', podsPath(id), pod(`log-${i}`, { image: 'busybox', command: ['sh', '-c', script] }));
  const pods = await waitForPods(client, id, PODS);
  const late = (await Promise.all(pods.map((p) => follow(client, `${podsPath(id)}/${p.metadata.name}`)))).flat();
  client.close();
  return [
    { row: `${title}: median`, value: quantile(late, 0.5), unit: 'ms', better: 'less' },
    { row: `${title}: p99`, value: quantile(late, 0.99), unit: 'ms', target: 50, better: 'less' },
  ];
}
