// What a hostile tenant does to a service that it shares: each act sets itself up and then goes on until its process
// ends. `tools`: `client` (a keep-alive client of the tenant), `port`, `key`, `ids` (the tenant's clusters).
import net from 'node:net';
import { WebSocket } from 'ws';

/** Looks at a hostile tenant's own pod, 50 ms apart: on a machine that does much else it waits for its share. */
const RUNNING_TRIES = 1_200;
const KB = 1024;
const MB = 1024 * KB;
const NAMESPACE = 'default';

const base = (id, group = 'api/v1') => `/clusters/${id}/${group}/namespaces/${NAMESPACE}`;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `work(i)` again and again, `count` at a time, whatever it answers. */
function repeat(count, work) {
  for (let i = 0; i < count; i++)
    void (async () => {
      for (let turn = 0; ; turn++) {
        await Promise.resolve(work(i, turn)).catch(() => sleep(20));
        await sleep(0);
      }
    })();
}

const podTemplate = (name, spec) => ({ metadata: { labels: { app: name } }, spec });
const container = (more) => ({ name: 'c', image: 'busybox', ...more });
const deployment = (name, replicas, spec, labels = { app: name }) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas, selector: { matchLabels: labels }, template: { ...podTemplate(name, spec), metadata: { labels } } },
});
const apply = (client, id, object) => client.request('POST', `${base(id, 'apis/apps/v1')}/deployments`, object);

/** Pods that their node refuses are replaced by pods that it refuses. */
async function refusedPods({ client, ids }) {
  for (const id of ids) {
    const requests = { cpu: '64', memory: '1Ti' };
    await apply(
      client,
      id,
      deployment('greedy', 20, { nodeName: 'worker-1', containers: [container({ resources: { requests } })] }),
    );
    await apply(
      client,
      id,
      deployment('elsewhere', 20, {
        nodeName: 'worker-1',
        nodeSelector: { 'kubernetes.io/hostname': 'worker-2' },
        containers: [container()],
      }),
    );
  }
}

/** Deployments whose selectors overlap, containers that crash, Jobs that fail, CronJobs of every minute. */
async function fightingControllers({ client, ids }) {
  for (const id of ids) {
    for (let i = 0; i < 5; i++)
      await apply(
        client,
        id,
        deployment(`fight-${i}`, 10, { containers: [container({ command: ['false'] })] }, { app: 'same' }),
      );
    for (let i = 0; i < 20; i++)
      await client.request('POST', `${base(id, 'apis/batch/v1')}/jobs`, {
        metadata: { name: `fails-${i}` },
        spec: {
          backoffLimit: 1_000_000,
          parallelism: 20,
          completions: 100_000,
          template: { spec: { restartPolicy: 'Never', containers: [container({ command: ['false'] })] } },
        },
      });
  }
}

/** Containers whose commands take long to read or to run. */
async function longCommands({ client, ids }) {
  const scripts = [
    'trap '.repeat(40 * KB),
    `echo ${'$(echo '.repeat(8 * KB)}`,
    'x=1234567890; while :; do x=$x$x; echo $x; done',
    'for i in {1..10000}; do for j in {1..10000}; do echo $i$j; done; done',
    '('.repeat(60 * KB),
  ];
  for (const id of ids)
    for (const [i, script] of scripts.entries())
      await apply(
        client,
        id,
        deployment(`long-${i}`, 10, { containers: [container({ command: ['sh', '-c', script] })] }),
      );
  repeat(8, async (i) => {
    const id = ids[i % ids.length];
    const { items = [] } = await client.json('GET', `${base(id)}/pods?limit=20`);
    for (const { metadata } of items) await client.request('GET', `${base(id)}/pods/${metadata.name}/log`);
  });
}

async function runningPod(client, id, more = { command: ['sleep', '1000000'] }) {
  await client.request('POST', `${base(id)}/pods`, {
    metadata: { name: 'shell' },
    spec: { containers: [container(more)] },
  });
  for (let tries = 0; tries < RUNNING_TRIES; tries++) {
    const { status } = await client.json('GET', `${base(id)}/pods/shell`);
    if (status?.phase === 'Running') return;
    await sleep(50);
  }
  throw new Error('the pod does not run');
}

/** Opens a session of a pod, says `messages` in it, and waits until it ends or has had its time. */
function talk({ port, key }, path, protocol, messages, ms) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, [protocol], {
    headers: { authorization: `Bearer ${key}` },
  });
  return new Promise((resolve) => {
    socket.on('open', () => messages.forEach((message) => socket.send(message)));
    socket.on('error', resolve);
    socket.on('close', resolve);
    setTimeout(() => socket.terminate(), ms).unref();
  });
}

/** Runs a command in the pod `shell`. */
function exec(tools, id, command) {
  const words = command.map((word) => `&command=${encodeURIComponent(word)}`).join('');
  return talk(tools, `${base(id)}/pods/shell/exec?stdout=true&stderr=true${words}`, 'v5.channel.k8s.io', [], 10_000);
}

/** Programs that never rest: loops, pipes, sorts, recursion, words of many fields; and looks at them. */
async function computingPrograms(tools) {
  const { client, ids } = tools;
  const scripts = [
    'i=0; while :; do i=$((i + 1)); done',
    'while :; do seq 200000 | sort -rn | tail -n 1; done',
    'while :; do set -- $(seq 90000); done',
    'while :; do echo $RANDOM | sha256sum | cut -c1-8; done',
    "awk 'BEGIN { while (1) { x[i++ % 10000] = i; y = y + length(x) } }'",
    'f() { f | f & }; f; wait',
  ];
  for (const id of ids) {
    for (const [i, script] of scripts.entries())
      await apply(
        client,
        id,
        deployment(`computes-${i}`, 5, { containers: [container({ command: ['sh', '-c', script] })] }),
      );
    await runningPod(client, id);
  }
  repeat(8, async (i) => {
    const id = ids[i % ids.length];
    const { items = [] } = await client.json('GET', `${base(id)}/pods?limit=20`);
    for (const { metadata } of items) await client.request('GET', `${base(id)}/pods/${metadata.name}/log?tailLines=5`);
  });
  repeat(8, (i, turn) => exec(tools, ids[i % ids.length], ['sh', '-c', scripts[(i + turn) % scripts.length]]));
}

/** Statements that join, sort and recurse over all that a database may hold. */
async function computingDatabases(tools) {
  const { client, ids } = tools;
  const statements = [
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
    'CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 15000) SELECT i FROM n',
    'SELECT count(*) FROM t a, t b, t c WHERE a.i + b.i = c.i',
    'INSERT INTO t SELECT i * 7 FROM t ORDER BY md5(i::text)',
    "SELECT length(string_agg(repeat('x', 1000), ',')) FROM t",
  ];
  for (const id of ids)
    await runningPod(client, id, { image: 'postgres:17', env: [{ name: 'POSTGRES_PASSWORD', value: 'p' }] });
  repeat(8, (i, turn) =>
    exec(tools, ids[i % ids.length], ['psql', '-U', 'postgres', '-c', statements[(i + turn) % statements.length]]),
  );
}

/** Bytes poured through forwarded ports into a program that sends them back. */
async function bytesThroughPods(tools) {
  const { client, ids } = tools;
  const PORT = 9000;
  for (const id of ids) await runningPod(client, id, { command: ['nc', '-lk', '-p', String(PORT), '-e', 'cat'] });
  const bytes = Buffer.concat([Buffer.of(0), Buffer.alloc(256 * KB, 'x')]);
  repeat(8, (i) => {
    const path = `${base(ids[i % ids.length])}/pods/shell/portforward?ports=${PORT}`;
    return talk(tools, path, 'v4.channel.k8s.io', Array(40).fill(bytes), 3_000);
  });
}

/** Sessions of `kubectl exec` into which keys are poured. */
async function pouredKeys(tools) {
  const { client, ids } = tools;
  for (const id of ids) await runningPod(client, id);
  const keys = Buffer.concat([Buffer.of(0), Buffer.alloc(16 * KB, '\r')]);
  repeat(20, (i) => {
    const id = ids[i % ids.length];
    const path = `${base(id)}/pods/shell/exec?command=sh&stdin=true&stdout=true&tty=true`;
    return talk(tools, path, 'v5.channel.k8s.io', [keys], 5_000);
  });
}

/** Queries and mutations by GraphQL. */
async function graphqlFlood({ client, ids }) {
  const objects = (id) =>
    `query { ${Array.from({ length: 10 }, (_, i) => `a${i}: objects(clusterId: "${id}", apiVersion: "v1", kind: "ConfigMap") { items }`).join(' ')} }`;
  for (const id of ids)
    for (let i = 0; i < 100; i++)
      await client.request('POST', `${base(id)}/configmaps`, {
        metadata: { name: `big-${i}` },
        data: { text: 'x'.repeat(10 * KB) },
      });
  repeat(50, (i) => client.request('POST', '/graphql', { query: objects(ids[i % ids.length]) }));
}

/** The platform's own routes. */
async function restFlood({ client, ids }) {
  repeat(100, (i, turn) => {
    if (turn % 10 === 0) return client.request('POST', '/v1/clusters', { name: 'more', nodes: 50 });
    return client.request('GET', i % 2 ? '/v1/clusters?limit=500' : `/v1/clusters/${ids[0]}/kubeconfig`);
  });
}

/** Subscriptions that begin far back, and end at once. */
async function subscriptionFlood({ client, port, key, ids }) {
  repeat(4, (i, turn) =>
    client.request('POST', `${base(ids[i % ids.length])}/configmaps`, {
      metadata: { name: `event-${i}-${turn}` },
      data: { text: 'x'.repeat(KB) },
    }),
  );
  repeat(20, (i) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    const query = `subscription { changes(clusterId: "${ids[i % ids.length]}", fromRevision: 1) { revision object } }`;
    return new Promise((resolve) => {
      const subscribe = () => {
        for (let n = 0; n < 100; n++)
          socket.send(JSON.stringify({ type: 'subscribe', id: String(n), payload: { query } }));
      };
      socket.on('open', () => {
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${key}` } }));
        // One connection in four does not wait for its acknowledgement, which is an error of the protocol.
        if (i % 4 === 0) subscribe();
        else socket.once('message', subscribe);
      });
      socket.on('error', resolve);
      socket.on('close', resolve);
      setTimeout(() => socket.terminate(), 500).unref();
    });
  });
}

/** Upgrades of unknown paths whose clients reset, and connections that never say what they want. */
async function brokenSockets({ port }) {
  const upgrade = (path) => `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  repeat(50, (i) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    return new Promise((resolve) => {
      socket.on('error', resolve);
      socket.on('close', resolve);
      socket.write(upgrade(['/nowhere', '/clusters/', '/clusters/%zz', '/graphql'][i % 4]));
      setTimeout(() => socket.resetAndDestroy(), i % 5);
    });
  });
  repeat(200, () => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    return new Promise((resolve) => {
      socket.on('error', resolve);
      socket.on('close', resolve);
      socket.write('GET / HTTP/1.1\r\nx: ');
      setTimeout(() => socket.destroy(), 10_000).unref();
    });
  });
}

/** Objects of a megabyte, written, listed and watched by readers who do not read. */
async function bigObjects({ client, port, key, ids }) {
  const text = 'x'.repeat(MB - 10 * KB);
  repeat(8, async (i, turn) => {
    const id = ids[i % ids.length];
    const name = `big-${i}-${turn % 20}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text, turn: String(turn) } };
    const { status } = await client.request('PUT', `${base(id)}/configmaps/${name}`, object);
    if (status === 404) await client.request('POST', `${base(id)}/configmaps`, object);
    if (turn % 5 === 0) await client.request('GET', `${base(id)}/configmaps`);
  });
  repeat(20, (i) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    return new Promise((resolve) => {
      socket.on('error', resolve);
      socket.on('close', resolve);
      socket.write(
        `GET ${base(ids[i % ids.length])}/configmaps?watch=true HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
      );
      socket.pause();
      setTimeout(() => socket.destroy(), 5_000).unref();
    });
  });
}

/** Requests that cost the most for their size: selectors, patches, applies, expressions, YAML. */
async function expensiveRequests({ client, ids }) {
  const selector = encodeURIComponent(Array.from({ length: 2_000 }, (_, i) => `k${i}!=v`).join(','));
  const nested = '{"a":'.repeat(400) + '1' + '}'.repeat(400);
  const data = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`key-${i}`, String(i)]));
  const patch = JSON.stringify(
    Array.from({ length: 9_000 }, (_, i) => ({ op: 'add', path: `/data/k${i}`, value: 'v' })),
  );
  const yaml =
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata:\n' +
    Array.from({ length: 50_000 }, (_, i) => `  k${i}: "${i}"\n`).join('');
  const request = [
    (id) => client.request('GET', `${base(id)}/pods?labelSelector=${selector}`),
    (id) =>
      client.request(
        'PATCH',
        `${base(id)}/configmaps/wide?fieldManager=m&force=true`,
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wide' }, data },
        { 'content-type': 'application/apply-patch+yaml' },
      ),
    (id) =>
      client.request('PATCH', `${base(id)}/configmaps/kube-root-ca.crt`, patch, {
        'content-type': 'application/json-patch+json',
      }),
    (id) => client.request('POST', `${base(id)}/configmaps`, yaml, { 'content-type': 'application/yaml' }),
    (id) => client.request('POST', `${base(id)}/configmaps`, nested),
    (id) => client.request('GET', `/clusters/${id}/openapi/v2`),
  ];
  repeat(60, (i, turn) => request[(i + turn) % request.length](ids[i % ids.length]));
}

/** Keys, tokens and paths that nobody gave out. */
async function guessing({ port, client, ids }) {
  repeat(100, async (i, turn) => {
    const tokens = [
      `tk_${turn}${'x'.repeat(30)}`,
      `tc_${'y'.repeat(400)}.${'z'.repeat(43)}`,
      `${'h'.repeat(100)}.${'p'.repeat(5_000)}.${'s'.repeat(86)}`,
    ];
    await client.request('GET', `${base(ids[i % ids.length])}/pods`, undefined, {
      authorization: `Bearer ${tokens[i % 3]}`,
    });
  });
  void port;
}

/** Name to act, and the number of clusters that it works in. */
export const ACTS = {
  'pods that their node refuses': { clusters: 10, run: refusedPods },
  'controllers that fight': { clusters: 4, run: fightingControllers },
  'commands that take long': { clusters: 4, run: longCommands },
  'keys poured into exec': { clusters: 4, run: pouredKeys },
  'programs that compute': { clusters: 4, run: computingPrograms },
  'databases that compute': { clusters: 2, run: computingDatabases },
  'bytes through pods': { clusters: 2, run: bytesThroughPods },
  'a flood by GraphQL': { clusters: 2, run: graphqlFlood },
  'a flood by REST': { clusters: 1, run: restFlood },
  'a flood of subscriptions': { clusters: 2, run: subscriptionFlood },
  'broken sockets': { clusters: 0, run: brokenSockets },
  'objects of a megabyte': { clusters: 4, run: bigObjects },
  'expensive requests': { clusters: 4, run: expensiveRequests },
  'guessed keys': { clusters: 1, run: guessing },
};
