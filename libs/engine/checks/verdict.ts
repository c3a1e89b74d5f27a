import {
  partsOf,
  roundPoints,
  sharesOf,
  partName,
  type Check,
  type CheckPartStatus,
  type CheckPhase,
  type CheckResult,
  type CheckSpec,
  type CheckStatus,
} from '../kinds/terrarium/check/kind.js';
import { microTimestamp, type Millis } from '../machinery/time/time.js';

/** Changes of a result that a status lists. */
const MAX_RESULTS = 20;

interface Moment {
  readonly now: Millis;
  readonly revision: number;
}

/** A check that begins to ask: nothing was seen yet. */
export function beginning({ spec, metadata }: Check, { now, revision }: Moment): CheckStatus {
  const shares = sharesOf(spec);
  const parts = partsOf(spec).map((part, i): CheckPartStatus => ({
    name: partName(part, i),
    phase: 'Pending',
    points: 0,
    share: shares[i]!,
  }));
  const { generation } = metadata;
  return {
    phase: 'Pending',
    score: 0,
    points: roundPoints(shares.reduce((sum, share) => sum + share, 0)),
    startTime: microTimestamp(now),
    startRevision: revision,
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    parts,
  };
}

/** What a check's parts say together. */
export function conclude(spec: CheckSpec, before: CheckStatus, parts: CheckPartStatus[], moment: Moment): CheckStatus {
  const { message: _message, hint: _hint, ...rest } = before;
  const phase = phaseOf(parts);
  const score = roundPoints(parts.reduce((sum, { points }) => sum + points, 0));
  const told = messageOf(spec, phase, parts);
  const hint = hintOf(spec, phase, parts);
  const results = resultsOf(before, phase, score, moment);
  return {
    ...rest,
    ...{ phase, score, parts },
    ...(told === '' ? {} : { message: told }),
    ...(hint === '' ? {} : { hint }),
    ...(results.length === 0 ? {} : { results }),
  };
}

/** What has failed for good cannot be passed any more, though other parts may still earn points. */
const phaseOf = (parts: readonly CheckPartStatus[]): CheckPhase =>
  parts.every(({ phase }) => phase === 'Passed')
    ? 'Passed'
    : parts.some(({ phase }) => phase === 'Failed')
      ? 'Failed'
      : 'Pending';

const WORDS = { Pending: 'pending', Passed: 'passed', Failed: 'failed' } as const;

function messageOf(spec: CheckSpec, phase: CheckPhase, parts: readonly CheckPartStatus[]): string {
  const own = spec.messages?.[WORDS[phase]];
  if (own !== undefined) return own;
  if (phase === 'Passed') return '';
  if (spec.message !== undefined) return spec.message;
  const [open] = openParts(spec, parts, phase);
  if (!open) return '';
  const text = open.spec.message ?? open.status.message ?? '';
  return spec.parts ? `${open.spec.title ?? open.status.name}: ${text}` : text;
}

function hintOf(spec: CheckSpec, phase: CheckPhase, parts: readonly CheckPartStatus[]): string {
  if (phase === 'Passed') return '';
  return spec.hint ?? openParts(spec, parts, phase).find((part) => part.spec.hint !== undefined)?.spec.hint ?? '';
}

/** What stands against the check comes first. */
const openParts = (spec: CheckSpec, parts: readonly CheckPartStatus[], phase: CheckPhase) =>
  partsOf(spec)
    .map((part, i) => ({ spec: part, status: parts[i]! }))
    .filter(({ status }) => status.phase === phase);

function resultsOf(before: CheckStatus, phase: CheckPhase, score: number, moment: Moment): CheckResult[] {
  const { results = [] } = before;
  if (phase === before.phase && score === before.score) return results;
  const result = { revision: moment.revision, time: microTimestamp(moment.now), phase, score };
  return [...results, result].slice(-MAX_RESULTS);
}
