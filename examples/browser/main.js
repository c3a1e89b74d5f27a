import { ClusterClient } from './terrarium.js';

const PODS = '/api/v1/pods';
const CHANGES = `subscription ($clusterId: ID!, $from: Float) {
  changes(clusterId: $clusterId, fromRevision: $from) { type resource namespace name actor cause revision }
}`;
const SHOWN_CHANGES = 100;
const RETRY_MS = 2_000;

const byId = (id) => document.getElementById(id);
const show = (id, text) => (byId(id).textContent = text);

/** Only text is set: names in a cluster are its users' own. */
function row(cells) {
  const line = document.createElement('tr');
  for (const cell of cells) line.insertCell().textContent = cell;
  return line;
}

const pods = new Map();

function showPods() {
  const sorted = [...pods.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  byId('pods').replaceChildren(...sorted.map(({ cells }) => row(cells)));
}

function keep({ metadata: { namespace, name }, status }) {
  const key = `${namespace}/${name}`;
  pods.set(key, { key, cells: [namespace, name, status?.phase ?? ''] });
}

function apply({ type, object }) {
  if (type === 'BOOKMARK') return;
  if (type === 'DELETED') pods.delete(`${object.metadata.namespace}/${object.metadata.name}`);
  else keep(object);
  showPods();
}

/** A token for this page's cluster; the key that it is made with stays on the page's own server. */
async function openSession() {
  const response = await fetch('/session', { method: 'POST' });
  if (!response.ok) throw new Error(`no session: ${response.status}`);
  return new ClusterClient(await response.json());
}

/** Lists the pods, then watches them. Resolves when the watch has ended: its token has, or the connection. */
async function followPods() {
  const client = await openSession();
  const list = await client.get(PODS);
  pods.clear();
  list.items.forEach(keep);
  showPods();
  await new Promise((closed) =>
    client.watch(PODS, list.metadata.resourceVersion, { opened: () => show('watch', 'live'), event: apply, closed }),
  );
}

let last;

/** Follows all changes, from after the last one that was shown. */
async function followChanges() {
  const client = await openSession();
  const variables = { clusterId: client.clusterId, from: last };
  const next = ({ data, errors }) => {
    if (errors) return show('subscription', errors[0].message);
    const { type, resource, namespace, name, actor, cause, revision } = data.changes;
    last = revision;
    const item = document.createElement('li');
    item.textContent = `${type} ${resource} ${namespace}/${name} by ${actor}, because of ${cause}`;
    byId('changes').prepend(item);
    byId('changes').children[SHOWN_CHANGES]?.remove();
  };
  await new Promise((closed) =>
    client.subscribe(CHANGES, variables, { opened: () => show('subscription', 'live'), next, closed }),
  );
}

async function repeat(follow, output) {
  for (;;) {
    try {
      await follow();
      show(output, 'ended; connecting again');
    } catch (error) {
      show(output, `failed: ${error.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

void repeat(followPods, 'watch');
void repeat(followChanges, 'subscription');
