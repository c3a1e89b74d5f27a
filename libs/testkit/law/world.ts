import { catalog } from '@terrarium/containers';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  type ApiRequest,
  type Change,
  type CheckpointState,
} from '@terrarium/engine';
import { kinds, Pods } from '../../engine/kinds/index.js';
import { storageKey } from '../../engine/machinery/kind.js';
import type { TimedRequest, Workload } from './workload.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const templates = new Map<string, CheckpointState>();

function templateFor(speed: Workload['speed']): CheckpointState {
  const made = templates.get(speed) ?? makeTemplate({ workers: defaultWorkers(2), speed }, catalog);
  templates.set(speed, made);
  return made;
}

const internal = new Set(kinds.filter((kind) => kind.internal).map(storageKey));
const isInternal = (resource: string): boolean => internal.has(resource);

/** One run of a workload: a cluster, and the log that lasts when its process does not. */
export class World {
  /** JSON of every change, as the store would have it. */
  readonly log: string[] = [];
  readonly errors: string[] = [];
  private cluster: Cluster;
  /** What was seen of the log, which is compared with every other run. */
  private shown: readonly string[] | undefined;
  private shownLogs:
    | { readonly now: number; readonly length: number; readonly logs: Record<string, string> }
    | undefined;
  private checkpoint: { state: CheckpointState; length: number };

  constructor(
    private readonly seed: number,
    speed: Workload['speed'],
    private readonly images = catalog,
  ) {
    this.checkpoint = { state: templateFor(speed), length: 0 };
    this.cluster = this.open();
  }

  get start(): number {
    return templateFor('instant').now;
  }

  private open(): Cluster {
    const cluster = new Cluster({
      seed: `law-${this.seed}`,
      images: this.images,
    });
    cluster.load(this.checkpoint.state);
    for (const text of this.log.slice(this.checkpoint.length)) cluster.replay(JSON.parse(text) as Change);
    cluster.commit();
    return cluster;
  }

  /** Lets time pass until so many ms after the beginning. Returns whether nothing is left to do before. */
  advance(to: number, maxChanges?: number): boolean {
    const { cluster } = this;
    const mark = cluster.mark();
    const { settled } = cluster.advance(this.start + to, maxChanges);
    this.append(mark);
    return settled;
  }

  send({ at, method, path, body }: TimedRequest): void {
    const { cluster } = this;
    const mark = cluster.mark();
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const request: ApiRequest = {
      method,
      path,
      query: '',
      headers: { 'content-type': type, accept: 'application/json' },
      body: body && Buffer.from(JSON.stringify(body)),
      user: ADMIN,
    };
    cluster.handle(request, this.start + at);
    this.append(mark);
  }

  private append(mark: ReturnType<Cluster['mark']>): void {
    for (const { old: _, ...change } of this.cluster.since(mark)) this.log.push(JSON.stringify(change));
    this.cluster.commit();
  }

  /**
   * What users can see of the log: whole objects, with their revisions and times. Of internal records (a machine is
   * written down when somebody looks into it) only that they were written.
   */
  visible(): readonly string[] {
    if (this.shown?.length === this.log.length) return this.shown;
    return (this.shown = this.log.map((text) => {
      const { cause: _, object, ...change } = JSON.parse(text) as Change;
      return JSON.stringify(isInternal(change.resource) ? change : { ...change, object });
    }));
  }

  /** The process dies, and another reads the log. */
  kill(): void {
    this.cluster = this.open();
  }

  /** As the host does when the log has grown. */
  writeCheckpoint(): void {
    const { state } = { state: this.cluster.checkpoint() };
    this.checkpoint = { state: JSON.parse(JSON.stringify(state)) as CheckpointState, length: this.log.length };
  }

  /** `kubectl logs` of every container, with those that ended before. */
  logs(now: number): Record<string, string> {
    const { shownLogs } = this;
    if (shownLogs?.now === now && shownLogs.length === this.log.length) return shownLogs.logs;
    const logs = this.readLogs(now);
    this.shownLogs = { now, length: this.log.length, logs };
    return logs;
  }

  private readLogs(now: number): Record<string, string> {
    const logs: Record<string, string> = {};
    for (const pod of this.cluster.state.list(Pods, 'default'))
      for (const { name } of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
        for (const previous of ['', '&previous=true'])
          logs[`${pod.metadata.name} ${name}${previous}`] = this.read(
            `/api/v1/namespaces/default/pods/${pod.metadata.name}/log`,
            `container=${name}&timestamps=true${previous}`,
            now,
          );
    return logs;
  }

  private read(path: string, query: string, now: number): string {
    const request = { method: 'GET', path, query, headers: {}, user: ADMIN };
    const answer = this.cluster.handle(request, this.start + now);
    return answer.type === 'body' ? `${answer.status} ${String(answer.body)}` : answer.type;
  }
}
