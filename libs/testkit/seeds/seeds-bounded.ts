import { catalog } from '@terrarium/containers';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  storageKey,
  type ApiRequest,
  type CheckpointState,
  type Kind,
  type KubeObject,
} from '@terrarium/engine';
import { Dice } from '../fuzz/dice.js';
import { makeManifests, meddle, type ManifestRequest } from './seeds-manifests.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const STEPS = 8;
/** A slice of the worker: so that the engine is run as it runs in production. */
const SLICE_CHANGES = 500;
/** What all buckets hold at once is spent long before. */
const MAX_SLICES = 1_000;
/** Manifests whose fights last longer have spent what buckets hold at once. */
const UNTIL_SETTLED = 3 * MINUTE;

/** Upstream, too, answers 500 when a webhook with failurePolicy Fail cannot be called. */
const WEBHOOK_FAILURE = /failed calling webhook/;

/** What a seed's cluster has done in the minute after its users have left it alone for three. */
export interface Work {
  readonly changes: number;
  readonly reconciles: number;
  /** 'created pods by system:...': how often, the most frequent first. */
  readonly busiest: readonly string[];
}

export interface SeedResult {
  readonly work: Work;
  /** Requests that were answered with 5xx, and errors that are no ApiErrors. */
  readonly faults: readonly string[];
  /** What the API has accepted. */
  readonly accepted: readonly string[];
}

const templates = new Map<string, CheckpointState>();

function templateFor(speed: 'instant' | 'realistic'): CheckpointState {
  const made = templates.get(speed) ?? makeTemplate({ workers: defaultWorkers(3), speed }, catalog);
  templates.set(speed, made);
  return made;
}

/** Sends a few random manifests to a cluster, meddles with what follows, and lets time pass. */
export function runBoundedSeed(seed: number): SeedResult {
  const dice = new Dice(seed);
  return new BoundedRun(dice, dice.pick(['instant', 'realistic'])).run();
}

/** Sends these manifests, and lets time pass. */
export const runManifests = (requests: readonly ManifestRequest[], speed: 'instant' | 'realistic'): SeedResult =>
  new BoundedRun(new Dice(1), speed).runManifests(requests);

class BoundedRun {
  private readonly cluster: Cluster;
  private readonly faults: string[] = [];
  private readonly accepted: string[] = [];
  private reconciles = 0;
  private now: number;

  constructor(
    private readonly dice: Dice,
    speed: 'instant' | 'realistic',
  ) {
    const template = templateFor(speed);
    this.now = template.now;
    this.cluster = new Cluster({
      seed: `bounded-${dice.roll(1_000_000)}`,
      images: catalog,
      observer: { started: () => {}, finished: () => void this.reconciles++ },
    });
    this.cluster.load(template);
  }

  run(): SeedResult {
    const { dice } = this;
    for (let i = 0; i < STEPS; i++) {
      for (const request of makeManifests(dice)) this.send(request);
      this.pass(dice.pick([0, 10, SECOND, 20 * SECOND]));
      for (let j = dice.roll(3); j > 0; j--) this.send(meddle(dice, this.someObject()));
    }
    return this.finish();
  }

  runManifests(requests: readonly ManifestRequest[]): SeedResult {
    for (const request of requests) this.send(request);
    return this.finish();
  }

  private finish(): SeedResult {
    this.pass(UNTIL_SETTLED);
    return { work: this.measure(MINUTE), faults: this.faults, accepted: this.accepted };
  }

  private send({ method, path, body }: ManifestRequest): void {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const request: ApiRequest = {
      method,
      path,
      query: '',
      headers: { 'content-type': type, accept: 'application/json' },
      body: body && Buffer.from(JSON.stringify(body)),
      user: ADMIN,
    };
    const response = this.cluster.handle(request, this.now);
    const line = `${method} ${path} ${JSON.stringify(body)}`;
    const message = response.type === 'body' ? String(response.body) : '';
    if (response.status >= 500 && !WEBHOOK_FAILURE.test(message)) this.faults.push(`${message} ${line}`);
    if (response.status < 300) this.accepted.push(line);
    this.cluster.commit();
  }

  /** In slices, as the worker does. */
  private pass(span: number): void {
    const { cluster } = this;
    this.now += span;
    for (let slices = 0; slices < MAX_SLICES; slices++) {
      const { settled } = cluster.advance(this.now, SLICE_CHANGES);
      cluster.commit();
      if (settled) return;
    }
    this.faults.push(`busy for ever at ${cluster.state.now}`);
  }

  private measure(span: number): Work {
    const { cluster } = this;
    const mark = cluster.mark();
    const [revision, reconciles] = [cluster.revision, this.reconciles];
    this.now += span;
    let slices = 0;
    while (!cluster.advance(this.now, SLICE_CHANGES).settled && ++slices < MAX_SLICES);
    const counts = new Map<string, number>();
    for (const { type, resource, actor } of cluster.since(mark)) {
      const line = `${type} ${resource} by ${actor}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    const busiest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
    return {
      changes: cluster.revision - revision,
      reconciles: this.reconciles - reconciles,
      busiest: busiest.map(([line, count]) => `${count} ${line}`),
    };
  }

  /** The path of an object in the namespace default; seldom that of an event, of which there are many. */
  private someObject(): string {
    const hasEvents = this.dice.chance(5);
    const objects = [...this.cluster.state.objects()].filter(
      ({ resource, object }) => object.metadata.namespace === 'default' && (hasEvents || resource !== 'events'),
    );
    const picked = objects.length > 0 ? this.dice.pick(objects) : undefined;
    if (!picked) return '/api/v1/namespaces/default/pods/none';
    const kind = this.cluster.registry.all().find((k: Kind) => storageKey(k) === picked.resource && !k.internal);
    return kind ? pathOf(kind, picked.object) : '/api/v1/namespaces/default/pods/none';
  }
}

const pathOf = ({ group, version, plural }: Kind, { metadata }: KubeObject): string =>
  `${group ? `/apis/${group}/${version}` : `/api/${version}`}/namespaces/default/${plural}/${metadata.name}`;
