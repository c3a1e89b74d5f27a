import type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  Change,
  CheckpointState,
  KubeObject,
  OutsideResponse,
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
} from '@terrarium/engine';

/** A position in the engine's undo log; the host only hands it back. */
export interface Mark {
  readonly changes: number;
  readonly revision: number;
  readonly now: number;
}

export interface Progress {
  readonly settled: boolean;
  /** Virtual ms. */
  readonly nextWake: number | undefined;
}

/** What the host needs of one cluster: the engine's `Cluster` is one, and so is a test's toy. All times are ms. */
export interface ClusterEngine {
  readonly revision: number;
  readonly state: {
    lookup(resource: string, namespace: string, name: string): KubeObject | undefined;
    resources(): Iterable<string>;
    count(resource: string): number;
    /** Encoded size of all live objects. */
    readonly bytes: number;
    /** Measures at most so many objects for `bytes`. Returns how many are left. */
    measureSome(objects: number): number;
    /** About the encoded size of what was created since the last commit. */
    estimateCreated(): number;
    /** Spares measuring an object that was created. */
    recordSize(object: KubeObject, bytes: number): void;
    /** Lists at a revision before this one are no longer answered. */
    forgetHistoryUpTo(revision: number): void;
  };
  /** JSON of a stored object, often that of an answer. */
  textOf(object: KubeObject): string;
  load(checkpoint: CheckpointState): void;
  checkpoint(): CheckpointState;
  replay(change: Change): AppliedChange;
  /** Only an AskingRequest is answered with calls to be made. */
  handle(request: ApiRequest | AskingRequest, now: number, realNow?: number): ApiResponse | OutsideResponse;
  /** What comes over a connection into a pod, after its upgrade. */
  handleSession(request: SessionRequest, now: number): SessionAnswer;
  /** What a session has printed after a position. Changes nothing. */
  readSession(session: SessionReference, position: SessionPosition, now: number): SessionOutput;
  /**
   * Runs the components until nothing is left to do before the virtual time of a real one, or as far as the cluster's
   * clock goes by itself, until `maxChanges` were made, or until `shouldYield`, which is asked between two reconciles,
   * says true. Throws when an assertion fails.
   */
  advanceAt(realNow: number, maxChanges: number, shouldYield?: () => boolean): Progress;
  /** Creates, updates and patches are refused from now on while the cluster has no space. */
  setSpaceExceeded(isExceeded: boolean): void;
  wantsAdvance(): boolean;
  mark(): Mark;
  since(mark: Mark): readonly AppliedChange[];
  rollback(mark: Mark): void;
  commit(): void;
  virtualNow(realMs: number): number;
  /** Undefined while the clock is paused. */
  realTimeOf(virtualMs: number, realNow: number): number | undefined;
}
