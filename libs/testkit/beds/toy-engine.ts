import type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  Change,
  CheckpointState,
  KubeObject,
  OutsideResponse,
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
  WatchResponse,
} from '@terrarium/engine';
import { State, type Mark } from '../../engine/runtime/state/state.js';
import type { ClusterEngine, Progress } from '@terrarium/host';

interface Counter extends KubeObject {
  spec: { readonly n: number };
  status: { readonly seen: number };
}

const RESOURCE = 'counters';

/**
 * A cluster of counters, for the host's own tests: POST adds one, GET reads, a component copies spec.n to status.seen
 * (one step a change). `GET /crash` throws, and so does the component when it sees a counter named 'bomb'. One named
 * 'busy' keeps the component busy for ever: its steps take a millisecond each. `GET /long` is finished at its fourth
 * run.
 */
export class ToyEngine implements ClusterEngine {
  readonly state = new State();
  runs = 0;
  private slices = 0;

  get revision(): number {
    return this.state.revision;
  }

  load({ revision, now, objects }: CheckpointState): void {
    this.state.revision = revision;
    this.state.now = now;
    for (const { resource, object } of objects) this.state.load(resource, object);
  }

  checkpoint(): CheckpointState {
    return { revision: this.state.revision, now: this.state.now, objects: [...this.state.objects()] };
  }

  textOf(object: KubeObject): string {
    return JSON.stringify(object);
  }

  replay(change: Change): AppliedChange {
    return this.state.replay(change);
  }

  handle({ method, path, query }: ApiRequest, now: number): ApiResponse | OutsideResponse {
    this.runs++;
    this.state.now = Math.max(now, this.state.now);
    const name = path.slice(1);
    if (method === 'WATCH') return this.watch(Number(new URLSearchParams(query).get('resourceVersion') ?? query));
    if (name === 'crash') throw new Error('crash');
    if (name === 'long' && this.slices++ % 4 < 3) return { type: 'outside', calls: [], unfinished: true };
    if (method === 'POST') this.write(name, this.n(name) + 1, this.counter(name)?.status.seen ?? 0, 'user');
    return {
      type: 'body',
      status: 200,
      headers: {},
      body: JSON.stringify({ n: this.n(name), seen: this.counter(name)?.status.seen ?? 0, revision: this.revision }),
    };
  }

  /** Every input of a session is a POST of one to the counter of its pod; a session prints its counter. */
  handleSession(request: SessionRequest, now: number): SessionAnswer {
    this.state.now = Math.max(now, this.state.now);
    if (request.type === 'openPort') return { type: 'port', opened: { http: true } };
    if (request.type === 'dial') return { type: 'dialed', answer: { status: 200, body: request.request.path } };
    const { pod } = request.session;
    if (request.input.stdin === 'crash') throw new Error('crash');
    this.write(pod, this.n(pod) + 1, this.counter(pod)?.status.seen ?? 0, 'user');
    return { type: 'taken', bytes: request.input.stdin?.length ?? 0 };
  }

  readSession({ pod }: SessionReference, { stdoutFrom }: SessionPosition): SessionOutput {
    return { stdout: 'x'.repeat(this.n(pod)).slice(stdoutFrom), stderr: '' };
  }

  advanceAt(_realNow: number, maxChanges: number, shouldYield = (): boolean => false): Progress {
    let left = maxChanges;
    const mustEnd = (): boolean => left-- === 0 || shouldYield();
    for (const counter of this.behind()) {
      if (counter.metadata.name === 'bomb') throw new Error('assertion failed: bomb');
      for (let seen = counter.status.seen + 1; seen <= counter.spec.n; seen++) {
        if (mustEnd()) return { settled: false, nextWake: undefined };
        this.write(counter.metadata.name!, counter.spec.n, seen, 'counter-controller');
      }
    }
    while (this.counter('busy')) {
      if (mustEnd()) return { settled: false, nextWake: undefined };
      const end = performance.now() + 1;
      while (performance.now() < end);
      this.write('busy', this.n('busy') + 1, this.n('busy') + 1, 'counter-controller');
    }
    return { settled: true, nextWake: undefined };
  }

  wantsAdvance(): boolean {
    return this.behind().length > 0;
  }

  mark(): Mark {
    return this.state.mark();
  }
  since(mark: Mark): readonly AppliedChange[] {
    return this.state.since(mark);
  }
  rollback(mark: Mark): void {
    this.state.rollback(mark);
  }
  setSpaceExceeded(isExceeded: boolean): void {
    this.state.isSpaceExceeded = isExceeded;
  }
  commit(): void {
    this.state.commit();
  }
  virtualNow(realMs: number): number {
    return realMs;
  }
  realTimeOf(virtualMs: number): number {
    return virtualMs;
  }

  private counter(name: string): Counter | undefined {
    return this.state.lookup(RESOURCE, '', name) as Counter | undefined;
  }

  private n(name: string): number {
    return this.counter(name)?.spec.n ?? 0;
  }

  private behind(): Counter[] {
    return [...this.state.objects()].map((o) => o.object as Counter).filter((c) => c.status.seen < c.spec.n);
  }

  private write(name: string, n: number, seen: number, actor: string): void {
    const old = this.counter(name);
    const spec = old?.spec.n === n ? old.spec : { n };
    this.state.put(
      RESOURCE,
      { apiVersion: 'v1', kind: 'Counter', metadata: { name }, spec, status: { seen } } as Counter,
      actor,
      0,
    );
  }

  private watch(fromRevision: number): WatchResponse {
    return {
      type: 'watch',
      status: 200,
      headers: {},
      resource: RESOURCE,
      fromRevision,
      initial: [],
      shareKey: 'counters',
      timeoutSeconds: 60,
      encode: (change) => `${change.revision}:${change.old ? 'MODIFIED' : 'ADDED'}\n`,
      bookmark: (revision) => `${revision}:BOOKMARK\n`,
      expired: (requested, oldest) => `410:${requested}<${oldest}\n`,
    };
  }
}
