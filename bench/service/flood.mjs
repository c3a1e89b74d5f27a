// A tenant who floods: a process of its own, so that it does not slow the one who measures. Args: port, key,
// connections, cluster ids…
import { Client } from './http.mjs';

const [port, key, connections, ...ids] = process.argv.slice(2);
const client = new Client({ port: Number(port), key }, Number(connections));
const answers = {};
const TEXT = 'x'.repeat(2_000);

/** Lists, writes, applies, and watches that are left at once. */
async function once(base, name) {
  const kind = Math.floor(Math.random() * 4);
  if (kind === 0)
    return client.request('GET', `${base}/pods`, undefined, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  if (kind === 1)
    return client.request('POST', `${base}/configmaps`, { metadata: { generateName: 'f-' }, data: { text: TEXT } });
  if (kind === 2)
    return client.request(
      'PATCH',
      `${base}/configmaps/${name}?fieldManager=f&force=true`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: TEXT, n: String(Math.random()) } },
      { 'content-type': 'application/apply-patch+yaml' },
    );
  return client.request('GET', `${base}/configmaps?watch=true&timeoutSeconds=1`);
}

async function flood(i) {
  const base = `/clusters/${ids[i % ids.length]}/api/v1/namespaces/default`;
  for (;;) {
    const { status } = await once(base, `flood-${i}`).catch(() => ({ status: 'broken' }));
    answers[status] = (answers[status] ?? 0) + 1;
  }
}

for (let i = 0; i < Number(connections); i++) void flood(i);
process.on('disconnect', () => process.exit());
process.on('message', () => process.send(answers));
