// A tenant who works beside a hostile one, and measures how long that takes.
import { fork } from 'node:child_process';
import path from 'node:path';
import { deployment } from '../service/http.mjs';

const POD_TIMEOUT_MS = 30_000;
const READY_TIMEOUT_MS = 120_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** ms of reads and writes of the API, one after the other. Rejects when one is refused. */
export async function measureRequests(client, id, count) {
  const base = `/clusters/${id}/api/v1/namespaces/default/configmaps`;
  const took = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    const write = { metadata: { generateName: 'b-' }, data: { a: 'b' } };
    const { status, text } =
      i % 2 ? await client.request('GET', `${base}?limit=5`) : await client.request('POST', base, write);
    if (status > 201) throw new Error(`answered ${status}: ${text.slice(0, 200)}`);
    took.push(performance.now() - started);
    await sleep(2);
  }
  return took;
}

/** ms from the creation of a Deployment until its pod runs, again and again. */
export async function measureRollouts(client, id, count) {
  const apps = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`;
  const took = [];
  for (let i = 0; i < count; i++) {
    const object = deployment(1);
    object.metadata.name = `r-${i}-${Date.now().toString(36)}`;
    const started = performance.now();
    await client.json('POST', apps, object);
    for (;;) {
      const { status } = await client.json('GET', `${apps}/${object.metadata.name}`);
      if (status?.readyReplicas === 1) break;
      if (performance.now() - started > POD_TIMEOUT_MS) throw new Error(`no pod runs after ${POD_TIMEOUT_MS / 1000} s`);
      await sleep(5);
    }
    took.push(performance.now() - started);
    await client.json('DELETE', `${apps}/${object.metadata.name}`);
  }
  return took;
}

/** Starts a hostile tenant's act. Resolves when it is under way, with what ends it. */
export async function startAct({ port, key }, name) {
  const child = fork(path.join(import.meta.dirname, 'tenant.mjs'), [String(port), key, name]);
  const stop = async () => {
    if (child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.disconnect();
    await exited;
  };
  let ids = [];
  const ready = new Promise((resolve, reject) => {
    child.on('message', (message) => (message === 'ready' ? resolve() : (ids = message.ids)));
    child.once('exit', (code) => reject(new Error(`the hostile tenant ended with ${code}`)));
    setTimeout(resolve, READY_TIMEOUT_MS).unref();
  });
  await ready;
  return { stop, ids: () => ids };
}
