import { describe, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import {
  ApiError,
  Cluster,
  defaultWorkers,
  makeTemplate,
  type CheckpointState,
  type Client,
  type KubeObject,
} from '@terrarium/engine';
import { violations } from './invariants.js';

/** SEED=7 runs that one alone: a failing seed is its own reproduction. */
const SEEDS = process.env['SEED'] ? [Number(process.env['SEED'])] : Array.from({ length: 12 }, (_, i) => i + 1);
const STEPS = 25;
const SETTLE = 15 * 60_000;
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const template = makeTemplate({ workers: defaultWorkers(3), speed: 'realistic' }, catalog);

/** A small linear generator: the workload's dice, apart from the cluster's own. */
function dice(seed: number): (n: number) => number {
  let x = seed * 2654435761;
  return (n) => {
    x = (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (x >>> 0) % n;
  };
}

const IMAGES = ['nginx:1.27', 'redis:7', 'httpd:2.4', 'nginx:no-such-tag', 'busybox:1.36'];
const NAMESPACES = ['default', 'one', 'two'];

type Step = (client: Client, roll: (n: number) => number) => string;
type Loose = KubeObject & {
  spec: Record<string, never> & {
    replicas?: number;
    unschedulable?: boolean;
    template: { spec: { containers: { image: string }[] } };
  };
};

const kind = (client: Client, apiVersion: string, name: string) => client.kindFor(apiVersion, name)!;
const pick = <T>(list: readonly T[], roll: (n: number) => number): T | undefined =>
  list[roll(Math.max(1, list.length))];

const deployment = (namespace: string, name: string, replicas: number, image: string): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image, resources: { requests: { cpu: '100m' } } }] },
      },
    },
  }) as KubeObject;

const steps: Record<string, Step> = {
  'create a deployment': (client, roll) => {
    const [namespace, name] = [pick(NAMESPACES, roll)!, `d${roll(4)}`];
    client.create(kind(client, 'apps/v1', 'Deployment'), deployment(namespace, name, roll(6), pick(IMAGES, roll)!));
    return `${namespace}/${name}`;
  },
  'create a service': (client, roll) => {
    const [namespace, app] = [pick(NAMESPACES, roll)!, `d${roll(4)}`];
    client.create(kind(client, 'v1', 'Service'), {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: app, namespace },
      spec: { selector: { app }, ports: [{ port: 80 }] },
    } as unknown as KubeObject);
    return `${namespace}/${app}`;
  },
  'create a namespace': (client, roll) => {
    const name = pick(NAMESPACES, roll)!;
    client.create(kind(client, 'v1', 'Namespace'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  },
  'delete a namespace': (client, roll) => {
    if (roll(3) > 0) return 'not this time';
    const name = NAMESPACES[1 + roll(2)]!;
    client.delete(kind(client, 'v1', 'Namespace'), { namespace: '', name });
    return name;
  },
  'scale or update a deployment': (client, roll) => {
    const Deployments = kind(client, 'apps/v1', 'Deployment');
    const d = pick(
      client.list(Deployments).filter((x) => x.metadata.namespace !== 'kube-system'),
      roll,
    ) as Loose | undefined;
    if (!d) return 'none';
    const [container] = d.spec.template.spec.containers;
    const containers = [{ ...container!, image: pick(IMAGES, roll)! }];
    const spec = roll(2)
      ? { ...d.spec, replicas: roll(8) }
      : { ...d.spec, template: { ...d.spec.template, spec: { ...d.spec.template.spec, containers } } };
    client.update(Deployments, { ...d, spec } as KubeObject);
    return d.metadata.name!;
  },
  'delete a deployment': (client, roll) => {
    const Deployments = kind(client, 'apps/v1', 'Deployment');
    const d = pick(
      client.list(Deployments).filter((x) => x.metadata.namespace !== 'kube-system'),
      roll,
    );
    if (!d) return 'none';
    const propagationPolicy = pick(['Background', 'Foreground'], roll)!;
    client.delete(Deployments, { namespace: d.metadata.namespace!, name: d.metadata.name! }, { propagationPolicy });
    return `${d.metadata.name} ${propagationPolicy}`;
  },
  'delete pods': (client, roll) => {
    const Pods = kind(client, 'v1', 'Pod');
    const doomed = client.list(Pods).filter(() => roll(4) === 0);
    for (const p of doomed)
      client.delete(
        Pods,
        { namespace: p.metadata.namespace!, name: p.metadata.name! },
        roll(2) ? {} : { gracePeriodSeconds: 0 },
      );
    return String(doomed.length);
  },
  'cordon or uncordon a node': (client, roll) => {
    const Nodes = kind(client, 'v1', 'Node');
    const n = pick(client.list(Nodes), roll) as Loose;
    client.update(Nodes, { ...n, spec: { ...n.spec, unschedulable: !n.spec.unschedulable } } as KubeObject);
    return n.metadata.name!;
  },
};

function clusterFrom(stored: CheckpointState, seed: number, errors: unknown[]): Cluster {
  const cluster = new Cluster({
    seed: `seed-${seed}`,
    images: catalog,
    strict: true,
    onError: (c, k, e) => void (e instanceof ApiError || errors.push([c, k, e])),
  });
  cluster.load(stored);
  return cluster;
}

describe.each(SEEDS)('seed %d', (seed) => {
  test(`${STEPS} random steps keep every invariant`, () => {
    const roll = dice(seed);
    const errors: unknown[] = [];
    const done: string[] = [];
    let cluster = clusterFrom(template, seed, errors);
    let now = template.now;
    for (let i = 0; i < STEPS; i++) {
      for (let j = roll(4); j >= 0; j--) {
        const [name, step] = pick(Object.entries(steps), roll)!;
        try {
          done.push(`${name}: ${step(cluster.client(ADMIN), roll)}`);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          done.push(`${name}: ${error.message}`);
        }
        cluster.advance((now += roll(5_000)));
      }
      if (roll(3) === 0) {
        // The process dies here, and another goes on from what is stored.
        cluster = clusterFrom(cluster.checkpoint(), seed, errors);
        done.push('restart');
      }
      cluster.advance((now += SETTLE));
      cluster.commit();
      expect({ seed, done: done.slice(-12), violations: violations(cluster), errors }).toEqual({
        seed,
        done: done.slice(-12),
        violations: [],
        errors: [],
      });
    }
  });
});
