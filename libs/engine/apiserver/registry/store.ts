import type { DeleteOptions } from '../../api/meta_v1.js';
import { ClusterAuth } from '../../auth/cluster-auth.js';
import type { Auth } from '../../machinery/requests/auth.js';
import type { Client, User, WriteContext } from '../../machinery/client.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { CallOutside, Dial, WaitForComponent } from '../../machinery/requests/http.js';
import type { Kind } from '../../machinery/kind.js';
import type { Key, KubeObject } from '../../machinery/meta/object.js';
import { hash32, SeededRandom } from '../../machinery/random.js';
import type { FlowReader } from '../../machinery/questions/flow.js';
import type { Tracer } from '../../machinery/questions/trace.js';
import type { Answerer, TimelineReader } from '../../machinery/questions/why.js';
import type { AdmissionPlugin } from '../../runtime/admission.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import { ADMIT_BODY_STEPS } from './admission/admit-body.js';
import { AdmissionChain } from './admission/admission-chain.js';
import { CREATE_STEPS } from './rest/create.js';
import { DELETE_STEPS } from './rest/delete.js';
import { stepsOfUpdate } from './rest/update.js';
import { BodyWrite, CreateWrite, DeleteWrite, runSteps, UpdateWrite } from './write.js';
import type { WriteOptions } from './write-options.js';
import type { Deletion, SubresourceBody, SubresourceView, Writer } from './writer.js';
import { WriterClient } from './writer-client.js';

export interface StoreOptions {
  readonly seed: string;
  readonly keys?: ClusterKeys;
  readonly dial?: Dial;
  readonly outside?: CallOutside;
  readonly waitForComponent?: WaitForComponent;
  readonly trace?: Tracer;
  readonly flows?: FlowReader;
  readonly why?: Answerer;
  readonly timeline?: TimelineReader;
}

/** Far from every cluster's revisions. */
const TIMELESS_DRAWS = 2 ** 30;

/**
 * The write path that every client shares: admission, strategy, validation, storage. Models
 * apiserver/pkg/registry/generic/registry/store.go.
 */
export class Store implements Writer {
  private readonly random = new SeededRandom(0);
  private readonly seed: number;
  private readonly auth: Auth;
  readonly admission: AdmissionChain;
  readonly keys: ClusterKeys | undefined;
  readonly dial: Dial | undefined;
  readonly outside: CallOutside | undefined;
  readonly waitForComponent: WaitForComponent | undefined;
  private readonly trace: Tracer | undefined;
  private readonly flows: FlowReader | undefined;
  private readonly why: Answerer | undefined;
  private readonly timeline: TimelineReader | undefined;
  /** What is created says how time runs: its uid is none that anything else will have. */
  private isTimeless = false;
  /** Added to the revision that names and uids follow from. */
  stream = 0;

  constructor(
    readonly state: State,
    readonly registry: Registry,
    plugins: readonly AdmissionPlugin[],
    options: StoreOptions,
  ) {
    this.admission = new AdmissionChain(plugins);
    this.seed = hash32(options.seed);
    this.keys = options.keys;
    this.auth = new ClusterAuth(state, options.keys);
    this.dial = options.dial;
    this.outside = options.outside;
    this.waitForComponent = options.waitForComponent;
    this.trace = options.trace;
    this.flows = options.flows;
    this.why = options.why;
    this.timeline = options.timeline;
  }

  client(options: WriteOptions): Client {
    return new WriterClient(this, options);
  }

  context(user: User): WriteContext {
    const draws = this.isTimeless ? TIMELESS_DRAWS + this.state.revision : this.state.draws;
    this.random.reseed(this.seed, draws + this.stream);
    const { state, random, auth, trace, flows, why, timeline } = this;
    return { now: state.now, random, read: state, user, auth, trace, flows, why, timeline };
  }

  create<T extends KubeObject>(kind: Kind<T>, draft: T, options: WriteOptions): T {
    const write = new CreateWrite(this, kind, draft, options);
    this.isTimeless = this.state.isTimeless(kind);
    try {
      runSteps(CREATE_STEPS, write);
    } finally {
      this.isTimeless = false;
    }
    return write.result as T;
  }

  update<T extends KubeObject>(
    kind: Kind<T>,
    draft: T,
    options: WriteOptions,
    subresource = '',
    view?: SubresourceView,
  ): T {
    const write = new UpdateWrite(this, kind, draft, options, subresource, view);
    runSteps(stepsOfUpdate(subresource), write);
    return write.result as T;
  }

  delete<T extends KubeObject>(kind: Kind<T>, key: Key, deletion: DeleteOptions, options: WriteOptions): Deletion<T> {
    const write = new DeleteWrite(this, kind, key, deletion, options);
    runSteps(DELETE_STEPS, write);
    const object = write.result!;
    return { object: kind.storedAs ? kind.storedAs.fromStorage(object) : (object as T), deleted: write.deleted };
  }

  admitBody(
    operation: 'CREATE' | 'CONNECT',
    kind: Kind,
    subresource: string,
    body: SubresourceBody,
    options: WriteOptions,
  ): void {
    runSteps(ADMIT_BODY_STEPS, new BodyWrite(this, operation, kind, subresource, body, options));
  }
}
