import type {
  ApiRequest,
  ApiResponse,
  AppliedChange,
  AskingRequest,
  Change,
  CheckpointState,
  KubeObject,
  OutsideResponse,
} from '@terrarium/engine';

/** A position in the engine's undo log; the host only hands it back. */
export interface Mark {
  readonly changes: number;
  readonly revision: number;
  readonly now: number;
}

/** What the host needs of one cluster: the engine's `Cluster` is one, and so is a test's toy. All times are ms. */
export interface ClusterEngine {
  readonly revision: number;
  readonly state: {
    lookup(resource: string, namespace: string, name: string): KubeObject | undefined;
    resources(): Iterable<string>;
    count(resource: string): number;
  };
  load(checkpoint: CheckpointState): void;
  checkpoint(): CheckpointState;
  replay(change: Change): AppliedChange;
  /** Only an AskingRequest is answered with calls to be made. */
  handle(request: ApiRequest | AskingRequest, now: number): ApiResponse | OutsideResponse;
  /**
   * Runs the components until nothing is left to do before `until` (virtual), or `maxChanges` were made. Throws when an
   * assertion fails.
   */
  advance(until: number, maxChanges: number): { readonly settled: boolean; readonly nextWake: number | undefined };
  wantsAdvance(): boolean;
  mark(): Mark;
  since(mark: Mark): readonly AppliedChange[];
  rollback(mark: Mark): void;
  commit(): void;
  virtualNow(realMs: number): number;
  /** Undefined while the clock is paused. */
  realTimeOf(virtualMs: number, realNow: number): number | undefined;
}
