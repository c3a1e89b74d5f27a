import type { Checks } from '../../checks/index.js';
import type { Change } from '../../machinery/change.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { AppliedChange } from '../../machinery/requests/http.js';
import type { Loop } from '../../runtime/loop.js';
import type { LoopState } from '../../runtime/loop-state.js';
import type { Mark, State, StoredObject } from '../../runtime/state/state.js';
import { BEHAVIOUR_VERSION } from '../behaviour.js';
import { injectAuthority } from '../bootstrap/authority.js';
import type { CheckpointState, SavedLoop } from './checkpoint.js';
import { LoggedTail, type Logged } from './logged-tail.js';
import { retrace } from './retrace.js';

const CONFIG_MAPS = 'configmaps';
const NOTHING_QUEUED: LoopState = { turn: 0, runners: [], timers: [] };
/** A process that knows nothing of the components' work first reconciles all of these, at once. */
const MAX_COLD_OBJECTS = 2_000;

interface RecoveryParts {
  readonly state: State;
  readonly loop: Loop;
  readonly checks: Checks;
  readonly keys: ClusterKeys | undefined;
  /** Of the clusters whose log this one goes on from. */
  readonly ancestors: readonly ClusterKeys[];
  /** Whether this process runs the components. */
  readonly runs: boolean;
}

/**
 * Takes a cluster up where another process has left it: the state from a checkpoint and the log, and the components'
 * work from what the checkpoint tells of it, or by doing the last of the log again.
 */
export class Recovery {
  /** No component has run yet. */
  private isCold = true;
  /** Changes that come are of another process, which has judged them. */
  private isReplaying = false;
  /** What the components have to go on with at the checkpoint that was loaded. */
  private savedLoop: SavedLoop | undefined;
  /** Read from the log before they have run: they may have to do it again to know where they are. */
  private readonly tail: LoggedTail;

  constructor(private readonly parts: RecoveryParts) {
    this.tail = new LoggedTail((change) => parts.loop.observeLogged(change));
  }

  /** Starts on a checkpoint; a template's is shifted to the cluster's own time before (shiftCheckpoint). */
  load(checkpoint: CheckpointState): void {
    const { state, keys, ancestors, runs } = this.parts;
    state.revision = checkpoint.revision;
    state.now = checkpoint.now;
    state.timelessChanges = checkpoint.timelessChanges ?? 0;
    if (runs) this.takeOver(checkpoint);
    const own = ({ resource, object }: StoredObject): StoredObject => ({
      resource,
      object: keys && resource === CONFIG_MAPS ? injectAuthority(object, keys, ancestors) : object,
    });
    const objects = checkpoint.objects.map(own);
    if (checkpoint.bytes === undefined) for (const { resource, object } of objects) state.load(resource, object);
    else state.loadKnown(objects, checkpoint.bytes);
  }

  /** What a checkpoint tells of the components' work; of another behaviour's, or of another point's, nothing. */
  private takeOver({ waiting = [], loop, revision, now }: CheckpointState): void {
    this.parts.loop.wait(waiting);
    const isOfThis = loop?.behaviour === BEHAVIOUR_VERSION && loop.revision === revision && loop.now === now;
    this.savedLoop = isOfThis ? loop : undefined;
  }

  /** Applies a change that another process has made. */
  replay(change: Change): AppliedChange {
    const { state, keys, ancestors } = this.parts;
    const isForeign = keys !== undefined && ancestors.length > 0 && change.resource === CONFIG_MAPS;
    const own = isForeign ? { ...change, object: injectAuthority(change.object, keys, ancestors) } : change;
    const { now } = state;
    const applied = this.replayInto(own);
    if (!this.isObserving) this.tail.add(applied, now);
    return applied;
  }

  private replayInto(change: Change): AppliedChange {
    this.isReplaying = true;
    try {
      return this.parts.state.replay(change);
    } finally {
      this.isReplaying = false;
    }
  }

  /** A process that has just loaded the cluster queues every key when it first advances, and needs no changes. */
  private get isObserving(): boolean {
    return !this.isCold || !this.parts.runs;
  }

  /** Tells checks and components of a change of the state. */
  observe(change: AppliedChange): void {
    const { checks, loop, runs } = this.parts;
    checks.observe(change, this.isReplaying);
    // What another process has done gives the components of this one nothing to do when it does not run them.
    if (this.isReplaying && !runs) return;
    if (this.isObserving) loop.observe(change);
    else if (!this.isReplaying) this.observeCold(change);
  }

  /** A change that is made here before the components have run: they are not to do the log before it again. */
  private observeCold(change: AppliedChange): void {
    this.tail.dropAll();
    this.parts.loop.observeLogged(change);
  }

  checkpoint(): CheckpointState {
    const { state, loop } = this.parts;
    const { revision, now, bytes, timelessChanges } = state;
    this.tail.dropAll();
    const waiting = loop.waitingKeys();
    const objects = [...state.objects()];
    const saved = this.saveLoop();
    return {
      ...{ revision, now, bytes, timelessChanges, objects },
      ...(waiting.length > 0 && { waiting }),
      ...(saved && { loop: saved }),
    };
  }

  private saveLoop(): SavedLoop | undefined {
    const { state, loop, runs } = this.parts;
    const { revision, now } = state;
    const saved = this.isCold || !runs ? undefined : loop.save();
    return saved && { ...saved, behaviour: BEHAVIOUR_VERSION, revision, now };
  }

  /** Before the components run for the first time: they go on with what is due, or look at everything. */
  warmUp(): void {
    if (!this.isCold) return;
    const { state, loop, checks } = this.parts;
    this.isCold = false;
    checks.start();
    const isResumed = state.isCommitted && this.resume();
    if (isResumed) this.tail.forget();
    else this.tail.dropAll();
    if (!isResumed) loop.enqueueAll();
    this.savedLoop = undefined;
  }

  /** Goes on where the process before has stopped. False when that is not known: every key is queued then. */
  private resume(): boolean {
    const { state, loop, checks } = this.parts;
    const { before, kept } = this.tail.split();
    const saved = this.tail.isComplete ? this.savedLoop : undefined;
    if (kept.length === 0 && saved) loop.restore(saved);
    if (kept.length === 0) return saved !== undefined;
    if (!saved && state.objectCount > MAX_COLD_OBJECTS) return false;
    const waiting = loop.waitingKeys();
    state.rewind(
      kept.map(({ change }) => change),
      kept[0]!.before,
    );
    checks.start();
    const mark = state.mark();
    if (this.retraceFrom(kept, saved, before)) return true;
    state.rollback(mark);
    loop.restore(NOTHING_QUEUED);
    loop.wait(waiting);
    this.replayAgain(kept);
    checks.rollback();
    checks.start();
    return false;
  }

  private replayAgain(logged: readonly Logged[]): void {
    this.isCold = true;
    for (const { change } of logged) this.replayInto(change);
    this.isCold = false;
  }

  private retraceFrom(kept: readonly Logged[], saved: SavedLoop | undefined, before: readonly Logged[]): boolean {
    const { state, loop, checks } = this.parts;
    for (const { change } of before) loop.observeLogged(change);
    if (saved) loop.restore(saved);
    else loop.enqueueAll();
    const logged = kept.map(({ change }) => change);
    const rollback = (mark: Mark): void => {
      state.rollback(mark);
      checks.rollback();
    };
    if (!retrace({ state, loop, rollback, replay: (change) => this.replayInto(change) }, logged)) return false;
    state.commit();
    loop.commit();
    return true;
  }
}
