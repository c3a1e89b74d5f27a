import type { Batch } from './operations.generated.js';
import type { Row } from './row.js';

const CPU = 16_000;
const MEMORY = 64 * 1024 ** 3;
const STATES = [
  'Running',
  'Running',
  'Running',
  'Running',
  'Running',
  'Running',
  'Running',
  'ContainerCreating',
  'CrashLoopBackOff',
];
const PER_APP = 100;

/** A made-up cluster to measure and look at: so many pods on so many nodes, a hundred of each Deployment. */
export function syntheticBatches(pods: number, nodes: number): Batch[] {
  const rows: Row[] = [];
  const row = (kind: string, name: string, more: Partial<Row>): Row => ({
    ...{ kind, name, uid: `${kind}/${name}`, revision: rows.length + 1, created: 0, is: {} },
    ...more,
  });
  for (let i = 0; i < nodes; i++) {
    const is = {
      status: 'Ready',
      cpu: CPU,
      memory: MEMORY,
      pods: 110,
      ...(i === 0 ? { roles: ['control-plane'] } : {}),
    };
    rows.push(row('Node', i === 0 ? 'control-plane' : `worker-${i}`, { is }));
  }
  for (const name of ['default', 'shop', 'kube-system'])
    rows.push(row('Namespace', name, { is: { status: 'Active' } }));
  for (let i = 0; i < pods; i++) rows.push(...syntheticPod(i, nodes, row));
  const size = 500;
  const batches: Batch[] = [];
  for (let i = 0; i < rows.length; i += size) {
    const left = Math.max(0, rows.length - i - size);
    batches.push({ begins: i === 0, left, revision: rows.length, at: 0, labels: [], rows: rows.slice(i, i + size) });
  }
  return batches;
}

function syntheticPod(i: number, nodes: number, row: (kind: string, name: string, more: Partial<Row>) => Row): Row[] {
  const app = Math.floor(i / PER_APP);
  const namespace = app % 3 === 0 ? 'default' : 'shop';
  const [set, name] = [`app-${app}-7d4b`, `app-${app}-7d4b-${i.toString(36)}`];
  const made: Row[] = [];
  if (i % PER_APP === 0) {
    made.push(row('Deployment', `app-${app}`, { namespace, is: { want: PER_APP, ready: 90 } }));
    const owner = { kind: 'Deployment', name: `app-${app}`, uid: `Deployment/app-${app}` };
    made.push(row('ReplicaSet', set, { namespace, owner, is: { want: PER_APP, ready: 90 } }));
    made.push(row('Service', `app-${app}`, { namespace, is: { type: 'ClusterIP', ports: ['80/TCP'] } }));
    const ready = Array.from({ length: PER_APP }, (_, k) => `app-${app}-7d4b-${(app * PER_APP + k).toString(36)}`);
    made.push(row('EndpointSlice', `app-${app}-x`, { namespace, is: { service: `app-${app}`, ready } }));
  }
  const status = STATES[(i * 7 + app) % STATES.length]!;
  const isReady = status === 'Running';
  const waits = i % 97 === 96;
  const is = {
    ...{ status: waits ? 'Pending' : status, phase: isReady ? 'Running' : 'Pending', ready: isReady ? 1 : 0, total: 1 },
    ...{ cpu: 50 + (i % 5) * 20, memory: 128 * 1024 ** 2, ip: `10.244.${i % 250}.${i % 200}` },
    ...(waits ? {} : { node: i % nodes === 0 ? 'control-plane' : `worker-${i % nodes}` }),
    containers: [{ name: 'app', image: 'nginx:1.29', state: status, ready: isReady, restarts: i % 4 }],
  };
  made.push(row('Pod', name, { namespace, owner: { kind: 'ReplicaSet', name: set, uid: `ReplicaSet/${set}` }, is }));
  return made;
}
