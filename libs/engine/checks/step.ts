import type { Expression, CheckPartStatus } from '../kinds/terrarium/check/kind.js';
import { momentOf } from '../kinds/terrarium/check/kind.js';
import { readSpan } from '../faults/index.js';
import { microTimestamp, parseTimestamp, type Millis } from '../machinery/time/time.js';
import type { CompiledPart } from './compiled.js';
import type { Occurrence } from './occurrence.js';

/** What an expression says. `isFatal`: it will never say anything else. */
export type Judgement =
  | { readonly holds: boolean; readonly error?: undefined }
  | { readonly error: string; readonly isFatal: boolean };

/** What is seen of a cluster in one look at a part. */
export interface Look {
  readonly now: Millis;
  readonly revision: number;
  /** When the check began to ask, and at which revision. */
  readonly start: Millis;
  readonly startRevision: number;
  /** What the part names may have changed. */
  readonly isConcerned: boolean;
  /** It is time to look at what no change tells of. */
  readonly isDue: boolean;
  /** Time itself led here: what ends now ends. */
  readonly isTimer: boolean;
  readonly occurrences: readonly Occurrence[];
  ask(expression: Expression): Judgement;
  meets(expression: Expression, occurrence: Occurrence): Judgement;
  /** Why a request from outside has failed; undefined: it was answered. */
  probe(part: CompiledPart): string | undefined;
}

const PAST = 'what was before the check was made is not looked at';
const SO_FAR = 'it holds so far';
const TOO_LATE = 'it has not come true in time';

/** What a part's status is after a look: all that is remembered stands in it. Pure but for what the look asks. */
export function stepPart(part: CompiledPart, before: CheckPartStatus, look: Look): CheckPartStatus {
  if (before.decided) return before;
  if (part.error !== undefined) return decide(before, look, 'Failed', part.error);
  const { at, atRevision } = part.spec;
  if (at !== undefined || atRevision !== undefined) return stepMoment(part, before, look);
  const status = before.since === undefined ? open(part, before, look) : before;
  if (status.decided || status.since === undefined) return status;
  const end = endOf(part, status, look.start);
  if (end !== undefined && look.now > end) return close(part, status, look);
  const isFirst = status !== before;
  const isState = part.main !== undefined && part.main.occurrence === undefined;
  const isSafety = part.word === 'always' || part.word === 'never';
  if (isState && isSafety && isUntil(part, look)) return close(part, status, look);
  const judged = judge(part, status, look, isFirst);
  if (judged.decided) return judged;
  const isOver = isUntil(part, look) || (end !== undefined && look.isTimer && look.now >= end);
  return isOver ? close(part, judged, look) : judged;
}

/** When the part wants to be looked at, whatever happens until then. */
export function nextMoment(part: CompiledPart, status: CheckPartStatus, start: Millis): Millis | undefined {
  if (status.decided) return undefined;
  if (part.spec.at !== undefined) return momentOf(part.spec.at, start);
  if (status.since !== undefined) return endOf(part, status, start);
  return part.spec.from === undefined ? undefined : momentOf(part.spec.from, start);
}

function stepMoment(part: CompiledPart, status: CheckPartStatus, look: Look): CheckPartStatus {
  const { at, atRevision } = part.spec;
  const { start, startRevision, now, revision } = look;
  const moment = at === undefined ? undefined : momentOf(at, start);
  if (moment === undefined ? atRevision! < startRevision : moment < start) return decide(status, look, 'Failed', PAST);
  const hasCome = moment === undefined ? revision >= atRevision! : now > moment || (now === moment && look.isTimer);
  if (!hasCome) return status;
  const judgement = look.ask(part.main!);
  if (judgement.error !== undefined) return decide(status, look, 'Failed', judgement.error);
  return judgement.holds ? decide(status, look, 'Passed') : decide(status, look, 'Failed', 'it did not hold then');
}

function open(part: CompiledPart, status: CheckPartStatus, look: Look): CheckPartStatus {
  const { from, to } = part.spec;
  const { start, now, revision } = look;
  const opens = from === undefined ? start : momentOf(from, start);
  if (opens < start || (to !== undefined && momentOf(to, start) <= start)) return decide(status, look, 'Failed', PAST);
  if (now < opens) return status;
  if (part.after) {
    if (!look.isConcerned && !look.isDue) return status;
    const judgement = look.ask(part.after);
    if (judgement.error !== undefined) return told(status, judgement, look);
    if (!judgement.holds) return status;
  }
  return { ...status, since: microTimestamp(now), sinceRevision: revision };
}

function endOf({ spec: { to, within } }: CompiledPart, { since }: CheckPartStatus, start: Millis): Millis | undefined {
  const ends = [
    ...(to === undefined ? [] : [momentOf(to, start)]),
    ...(within === undefined || since === undefined ? [] : [parseTimestamp(since) + readSpan(within)!]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}

function isUntil({ until }: CompiledPart, look: Look): boolean {
  if (!until || !(look.isConcerned || look.isDue)) return false;
  const judgement = look.ask(until);
  return judgement.error === undefined && judgement.holds;
}

/** The question is over: what has not happened by now has not. */
function close({ word }: CompiledPart, status: CheckPartStatus, look: Look): CheckPartStatus {
  if (word === 'eventually') return decide(status, look, 'Failed', status.message ?? TOO_LATE);
  if (word === 'now') return decide(status, look, status.phase === 'Passed' ? 'Passed' : 'Failed', status.message);
  return decide(status, look, 'Passed');
}

function judge(part: CompiledPart, status: CheckPartStatus, look: Look, isFirst: boolean): CheckPartStatus {
  const { main } = part;
  if (!main) return look.isDue ? judgeProbe(part, status, look) : standing(part, status, look);
  if (main.occurrence) return judgeOccurrences(part, main, status, look);
  const isAsked = main.isLook ? look.isDue : look.isConcerned || look.isDue || isFirst;
  return isAsked ? judgeState(part, main, status, look) : status;
}

function judgeState(part: CompiledPart, main: Expression, status: CheckPartStatus, look: Look): CheckPartStatus {
  const judgement = look.ask(main);
  if (judgement.error !== undefined) {
    // What has held, and lacks a field or an object now, does not hold any more: a count of 0 is left out.
    if (part.word === 'always' && !main.isLook && hasHeld(status))
      return decide(status, look, 'Failed', `it did not hold at revision ${look.revision}: ${judgement.error}`);
    return told(status, judgement, look);
  }
  const { holds } = judgement;
  switch (part.word) {
    case 'now':
      return holds ? shift(status, look, 'Passed') : shift(status, look, 'Pending', 'it does not hold');
    case 'eventually':
      return holds ? decide(status, look, 'Passed') : shift(status, look, 'Pending', 'it has not come true yet');
    default:
      if (holds === (part.word === 'always')) return standing(part, status, look);
      return decide(status, look, 'Failed', `it ${holds ? 'held' : 'did not hold'} at revision ${look.revision}`);
  }
}

const hasHeld = ({ phase, message }: CheckPartStatus): boolean => phase === 'Passed' || message === SO_FAR;

function judgeOccurrences(part: CompiledPart, main: Expression, before: CheckPartStatus, look: Look): CheckPartStatus {
  const { word, spec } = part;
  const times = spec.times ?? 1;
  let status = before;
  for (const occurrence of look.occurrences) {
    const judgement = look.meets(main, occurrence);
    // A change that lacks a field which is asked for is not meant.
    const holds = judgement.error === undefined && judgement.holds;
    if (judgement.error !== undefined && judgement.isFatal) return decide(status, look, 'Failed', judgement.error);
    if (holds === (word === 'always')) continue;
    status = { ...status, count: (status.count ?? 0) + 1, countedAt: microTimestamp(occurrence.at) };
    if (status.count! < times) continue;
    const then = { now: occurrence.at, revision: occurrence.revision };
    return word === 'eventually'
      ? decide(status, then, 'Passed')
      : decide(status, then, 'Failed', `it happened at revision ${occurrence.revision}`);
  }
  if (word === 'eventually') return shift(status, look, 'Pending', 'it has not happened yet');
  return standing(part, status, look);
}

function judgeProbe(part: CompiledPart, before: CheckPartStatus, look: Look): CheckPartStatus {
  const stamp = microTimestamp(look.now);
  const failure = before.countedAt === stamp ? undefined : look.probe(part);
  if (failure === undefined) return standing(part, before, look);
  const count = (before.count ?? 0) + 1;
  const status = { ...before, count, countedAt: stamp };
  return count > (part.spec.probe!.failures ?? 0)
    ? decide(status, look, 'Failed', failure)
    : { ...standing(part, status, look), message: failure };
}

/** Nothing is against it so far: it is passed, or will be when the question ends. */
function standing({ spec: { to, within, until } }: CompiledPart, status: CheckPartStatus, look: Look): CheckPartStatus {
  const hasEnd = to !== undefined || within !== undefined || until !== undefined;
  return hasEnd ? shift(status, look, 'Pending', SO_FAR) : shift(status, look, 'Passed', status.message);
}

/** An error is no answer: the part waits, unless there will never be one. */
const told = (status: CheckPartStatus, { error, isFatal }: { error: string; isFatal: boolean }, look: Look) =>
  isFatal ? decide(status, look, 'Failed', error) : shift(status, look, 'Pending', error);

type Moment = Pick<Look, 'now' | 'revision'>;

function shift(
  status: CheckPartStatus,
  { now, revision }: Moment,
  phase: CheckPartStatus['phase'],
  text?: string,
): CheckPartStatus {
  const message = phase === 'Passed' && text === status.message && status.phase !== 'Passed' ? undefined : text;
  if (status.phase === phase && status.message === message) return status;
  const { message: _before, ...rest } = status;
  const change = status.phase === phase && status.time !== undefined ? {} : { revision, time: microTimestamp(now) };
  return {
    ...rest,
    phase,
    points: phase === 'Passed' ? status.share : 0,
    ...change,
    ...(message === undefined ? {} : { message }),
  };
}

const decide = (status: CheckPartStatus, look: Moment, phase: 'Passed' | 'Failed', text?: string): CheckPartStatus => ({
  ...shift(status, look, phase, text),
  decided: true,
});
