import { Checks as Kind } from '../kinds/index.js';
import {
  newCompiler,
  NOW,
  PARTS,
  type Check,
  type CheckFunctions,
  type CheckPartStatus,
  type Compiler,
  type Expression,
} from '../kinds/terrarium/check/kind.js';
import { CostError, EvaluationError, type Known, type Value } from '../machinery/cel/index.js';
import type { AskedRequest } from '../machinery/requests/asked-request.js';
import type { AppliedChange } from '../machinery/requests/http.js';
import { deepEqual } from '../machinery/meta/equal.js';
import { parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { Registry } from '../runtime/registry.js';
import type { State } from '../runtime/state/state.js';
import { compileCheck, type CompiledPart } from './compiled.js';
import { mistakeIn } from './mistakes.js';
import { changeOccurrence, passesFilter, requestOccurrence, type Occurrence } from './occurrence.js';
import { Concerns, Dirty, type Concerned } from './concerns.js';
import { Resources, servesKinds, timeValue } from './resources.js';
import { nextMoment, stepPart, type Judgement, type Look } from './step.js';
import { Tallies } from './tallies.js';
import { beginning, conclude } from './verdict.js';

const TERRARIUM = 'system:terrarium';
const TOO_COSTLY = 'the expression costs too much on this cluster';

export interface ChecksParts {
  readonly state: State;
  readonly registry: Registry;
  readonly functions: CheckFunctions;
  /** Whether the controllers run in this process: else another one judges what is replayed. */
  readonly runs: boolean;
  /** Why a request from outside has failed; undefined: it was answered. */
  probe(part: CompiledPart['spec']): string | undefined;
}

/** A check that may still change, with its programs. */
interface Followed {
  check: Check;
  readonly spec: Check['spec'];
  readonly parts: readonly CompiledPart[];
}

/** What happened to a check since the last look. */
interface Touched {
  readonly concerned: Set<CompiledPart>;
  readonly occurrences: Map<CompiledPart, Occurrence[]>;
}

/**
 * Keeps the status of a cluster's checks. What objects, changes and requests tell is written in the transaction that
 * they are part of, so that nothing is ever missed, whichever process makes it; what time and looks into containers
 * tell is asked by the controller. All that is remembered of a check is in its status.
 */
export class Checks {
  private readonly followed = new Map<string, Followed>();
  /** They are new, or ask for something else than before. */
  private readonly fresh = new Set<string>();
  private readonly concerns: Concerns<Followed, CompiledPart>;
  private readonly resources: Resources;
  private readonly compile: Compiler;
  /** Changes and requests that somebody asks of, and that are not judged yet. */
  private pending: (AppliedChange | Occurrence)[] = [];
  private readonly dirty = new Dirty();
  private readonly tallies: Tallies;
  /** When each polled part was looked at last, by the check's uid and the part's name. */
  private readonly looked = new Map<string, Millis>();
  /** What was due before was done, or will not be. */
  private floor: Millis = 0;

  constructor(private readonly parts: ChecksParts) {
    const { state, registry, functions } = parts;
    this.resources = new Resources(state, registry);
    this.concerns = new Concerns((name) => {
      const found = this.resources.find(name);
      return found && state.resourceOf(found.kind);
    });
    this.compile = newCompiler(functions);
    this.tallies = new Tallies(state, this.resources);
    state.observe(state.resourceOf(Kind), (old, next) => this.follow(old as Check, next as Check));
  }

  private follow(old: Check | undefined, next: Check | undefined): void {
    const uid = (next ?? old)?.metadata.uid ?? '';
    const known = this.followed.get(uid);
    if (!next) {
      this.followed.delete(uid);
      this.fresh.delete(uid);
      this.concerns.clear();
      return;
    }
    if (isFresh(next)) this.fresh.add(uid);
    else this.fresh.delete(uid);
    if (known && known.spec === next.spec) {
      if (isDecided(known.check) !== isDecided(next)) this.concerns.clear();
      known.check = next;
      return;
    }
    this.followed.set(uid, { check: next, spec: next.spec, parts: this.read(next) });
    this.concerns.clear();
  }

  /** A check's parts, with what is wrong in words that can be read. */
  private read(check: Check): CompiledPart[] {
    return compileCheck(check, this.compile).map((part) => {
      const error = part.error ?? mistakeIn(part, this.resources);
      return error === part.error ? part : { ...part, error };
    });
  }

  /** Somebody asks of what users request. */
  get wantsRequests(): boolean {
    return this.followed.size > 0 && this.index().ofRequests.length > 0;
  }

  /** A change that is applied; `isReplayed`: another process has made it, and has judged what users did. */
  observe(change: AppliedChange, isReplayed: boolean): void {
    if (this.followed.size === 0) return;
    const { resource } = change;
    if (servesKinds(resource)) this.renew();
    const index = this.index();
    if (!isReplayed && index.asksOf(resource)) this.pending.push(change);
    if (!isReplayed || this.parts.runs) index.mark(change, this.dirty);
  }

  /** Names may mean something else now. */
  private renew(): void {
    this.resources.forget();
    this.concerns.clear();
    this.tallies.clear();
    this.dirty.all = true;
  }

  /** A request that was answered here. */
  note(request: AskedRequest): void {
    const { now, revision } = this.parts.state;
    this.pending.push(requestOccurrence(request, now, revision));
  }

  /** What was not stored has not happened. */
  rollback(): void {
    this.pending = [];
    this.looked.clear();
    this.floor = this.parts.state.now - 1;
  }

  /** From here on what is due is done: for a process that has just loaded the cluster. */
  start(): void {
    this.floor = this.parts.state.now - 1;
    this.dirty.all = true;
  }

  /** Judges the changes and requests since the last time: after each reconcile, and after each request. */
  settle(): void {
    const { pending } = this;
    if (pending.length === 0) return;
    this.pending = [];
    const touched = new Map<Followed, Touched>();
    for (const one of pending) this.touch(one, touched);
    this.judgeAll(touched);
  }

  /** Judges the state, too: when nothing is left to do at a moment, and after each request. */
  rest(): void {
    this.settle();
    if (this.dirty.isClean && this.fresh.size === 0) return;
    const touched = new Map<Followed, Touched>();
    for (const { owner, part } of this.index().concernedBy(this.dirty)) touchedOf(touched, owner).concerned.add(part);
    this.dirty.clear();
    this.judgeAll(touched);
    for (const uid of [...this.fresh]) this.begin(uid);
  }

  private judgeAll(touched: ReadonlyMap<Followed, Touched>): void {
    for (const [followed, what] of touched) if (!isFresh(followed.check)) this.judge(followed, what, false);
  }

  private begin(uid: string): void {
    const followed = this.followed.get(uid);
    this.fresh.delete(uid);
    if (!followed) return;
    const { now, revision } = this.parts.state;
    const check = { ...followed.check, status: beginning(followed.check, { now, revision }) };
    this.judge(followed, { concerned: new Set(followed.parts), occurrences: new Map() }, false, check);
  }

  private touch(one: AppliedChange | Occurrence, touched: Map<Followed, Touched>): void {
    const index = this.index();
    if ('fields' in one) return this.deliver(one, index.ofRequests, touched);
    // It was undone since.
    if (this.parts.state.changeAt(one.revision) !== one) return;
    this.deliver(changeOccurrence(one), index.ofChanges(one.resource), touched);
  }

  private deliver(
    occurrence: Occurrence,
    asked: readonly Concerned<Followed, CompiledPart>[],
    touched: Map<Followed, Touched>,
  ): void {
    for (const { owner, part } of asked) {
      if (!passesFilter(part.filter, occurrence)) continue;
      const { occurrences } = touchedOf(touched, owner);
      const known = occurrences.get(part);
      if (known) known.push(occurrence);
      else occurrences.set(part, [occurrence]);
    }
  }

  private index(): Concerns<Followed, CompiledPart> {
    if (!this.concerns.isBuilt) this.concerns.build(this.openParts());
    return this.concerns;
  }

  private *openParts(): Iterable<Concerned<Followed, CompiledPart>> {
    for (const owner of this.followed.values())
      for (const [i, part] of owner.parts.entries()) if (!owner.check.status.parts?.[i]?.decided) yield { owner, part };
  }

  /** Looks at what is due now. Returns how long it is until the next. Throws UnfinishedWork. */
  wake(uid: string): Millis | undefined {
    const followed = this.followed.get(uid);
    if (!followed || isFresh(followed.check)) return undefined;
    const { now } = this.parts.state;
    const due = followed.parts.filter((part, i) => this.isDue(followed.check, part, i, now));
    if (due.length > 0) {
      const isOver = (part: CompiledPart, i: number): boolean => this.isMoment(followed.check, part, i, now);
      const concerned = new Set(followed.parts.filter(isOver));
      this.judge(followed, { concerned, occurrences: new Map() }, true);
      for (const part of due) this.looked.set(lookedKey(followed.check, part), now);
    }
    return this.nextWake(followed, now);
  }

  private isDue(check: Check, part: CompiledPart, i: number, now: Millis): boolean {
    const own = check.status.parts?.[i];
    if (!own || own.decided) return false;
    return this.isMoment(check, part, i, now) || this.isPollDue(check, part, own, now);
  }

  /** Its question begins or ends by now. */
  private isMoment({ status }: Check, part: CompiledPart, i: number, now: Millis): boolean {
    const own = status.parts?.[i];
    const moment = own && nextMoment(part, own, startOf(status));
    return moment !== undefined && moment <= now;
  }

  /** Polls stand on a grid from the question's beginning on: who looks when does not move them. */
  private isPollDue(check: Check, part: CompiledPart, own: CheckPartStatus, now: Millis): boolean {
    const base = pollBase(part, own, check);
    if (base === undefined || now < base) return false;
    const latest = base + Math.floor((now - base) / part.every) * part.every;
    return latest > (this.looked.get(lookedKey(check, part)) ?? Math.max(this.floor, base - 1));
  }

  private nextWake({ check, parts }: Followed, now: Millis): Millis | undefined {
    let next = Infinity;
    const start = startOf(check.status);
    for (const [i, part] of parts.entries()) {
      const own = check.status.parts?.[i];
      if (!own || own.decided) continue;
      const moment = nextMoment(part, own, start);
      if (moment !== undefined && moment > now) next = Math.min(next, moment);
      const base = pollBase(part, own, check);
      if (base === undefined) continue;
      next = Math.min(next, base > now ? base : base + (Math.floor((now - base) / part.every) + 1) * part.every);
    }
    return next === Infinity ? undefined : next - now;
  }

  private judge(followed: Followed, touched: Touched, isTimer: boolean, check = followed.check): void {
    const { state } = this.parts;
    const { now, revision } = state;
    const { status } = check;
    const phases: Record<string, string> = {};
    const parts = followed.parts.map((part, i) => {
      const before = status.parts?.[i];
      if (!before) return undefined;
      const after = before.decided
        ? before
        : stepPart(part, before, this.lookOf(check, part, before, touched, isTimer, phases));
      phases[part.name] = after.phase;
      return after;
    });
    const known = parts.filter((part) => part !== undefined);
    if (check === followed.check && known.every((part, i) => part === status.parts![i])) return;
    const next = conclude(check.spec, status, known, { now, revision });
    if (deepEqual(next, followed.check.status)) return;
    const draft = { ...check, metadata: { ...check.metadata }, status: next };
    state.put(state.resourceOf(Kind), draft, TERRARIUM, revision);
  }

  private lookOf(
    check: Check,
    part: CompiledPart,
    before: CheckPartStatus,
    { concerned, occurrences }: Touched,
    isTimer: boolean,
    phases: Readonly<Record<string, string>>,
  ): Look {
    const { now, revision } = this.parts.state;
    const { status } = check;
    const lookup = (name: string): Value | undefined => this.valueOf(name, phases);
    return {
      ...{ now, revision, isTimer },
      start: startOf(status),
      startRevision: status.startRevision ?? 0,
      isConcerned: concerned.has(part) || (part.usesParts && !part.isPolled),
      isDue: isTimer && this.isPollDue(check, part, before, now),
      occurrences: occurrences.get(part) ?? [],
      ask: (expression) => evaluate(expression, lookup, this.tallies.knownTo(expression)),
      meets: (expression, occurrence) =>
        evaluate(expression, (name) => (name === occurrence.type ? occurrence.value() : lookup(name))),
      probe: ({ spec }) => this.parts.probe(spec),
    };
  }

  private valueOf(name: string, phases: Readonly<Record<string, string>>): Value | undefined {
    if (name === NOW) return timeValue(this.parts.state.now);
    if (name === PARTS) return phases;
    return this.resources.valueOf(name);
  }
}

function evaluate({ program }: Expression, lookup: (name: string) => Value | undefined, known?: Known): Judgement {
  try {
    return { holds: program.run(lookup, known).value === true };
  } catch (error) {
    // What it names is not there yet.
    if (error instanceof EvaluationError) return { error: error.message, isFatal: false };
    if (error instanceof CostError) return { error: TOO_COSTLY, isFatal: true };
    throw error;
  }
}

const isFresh = ({ status, metadata }: Check): boolean =>
  status.startTime === undefined || status.observedGeneration !== metadata.generation;

const isDecided = ({ status }: Check): number => status.parts?.filter(({ decided }) => decided).length ?? 0;

const startOf = ({ startTime = '' }: Check['status']): Millis => parseTimestamp(startTime);

const lookedKey = ({ metadata }: Pick<Check, 'metadata'>, { name }: CompiledPart): string => `${metadata.uid} ${name}`;

/** Since when a part is polled; undefined: it is not, or not yet. */
function pollBase(part: CompiledPart, { since }: CheckPartStatus, { status }: Check): Millis | undefined {
  if (!part.isPolled || part.spec.at !== undefined || part.spec.atRevision !== undefined) return undefined;
  if (since !== undefined) return parseTimestamp(since);
  return part.after && status ? startOf(status) : undefined;
}

function touchedOf(touched: Map<Followed, Touched>, followed: Followed): Touched {
  let known = touched.get(followed);
  if (!known) touched.set(followed, (known = { concerned: new Set(), occurrences: new Map() }));
  return known;
}
