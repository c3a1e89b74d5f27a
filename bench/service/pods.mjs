const WAIT_MS = 60_000;
const POLL_MS = 100;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const podsPath = (id) => `/clusters/${id}/api/v1/namespaces/default/pods`;

export const pod = (name, container, labels = {}) => ({
  metadata: { name, labels },
  spec: { containers: [{ name: 'c', ...container }] },
});

/** Resolves with the pods when all of them run and, where they are probed, are ready. */
export async function waitForPods(client, id, count) {
  const until = Date.now() + WAIT_MS;
  while (Date.now() < until) {
    const { items } = await client.json('GET', podsPath(id));
    if (items.length >= count && items.every((p) => p.status.containerStatuses?.[0]?.ready)) return items;
    await sleep(POLL_MS);
  }
  throw new Error(`${count} pods do not run`);
}

/** The cluster's latest revision: it grows by one with each change. */
export async function latestRevision(client, id) {
  const { metadata } = await client.json('GET', `/clusters/${id}/api/v1/namespaces/default/secrets`);
  return Number(metadata.resourceVersion);
}
