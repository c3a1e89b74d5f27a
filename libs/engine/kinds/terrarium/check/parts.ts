import { readSpan } from '../../../faults/index.js';
import { isObject } from '../../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Check, CheckPartSpec, CheckSpec } from './spec.js';

/** What asks, of a part: exactly one. */
export const WORDS = ['now', 'eventually', 'always', 'never', 'probe'] as const;
export type Word = (typeof WORDS)[number];

const DEFAULT_EVERY: Millis = 10 * SECOND;
const PROBE_EVERY: Millis = 5 * SECOND;
const OWN = ['title', 'points', 'hint', 'message'] as const;

/** The parts of a check; one without any is its own part, which has all the points. */
export function partsOf(spec: CheckSpec, name = 'check'): readonly CheckPartSpec[] {
  if (Array.isArray(spec.parts)) return spec.parts.filter(isObject);
  const {
    title: _title,
    points: _points,
    hint: _hint,
    message: _message,
    messages: _messages,
    parts: _parts,
    ...part
  } = spec;
  return [{ name, ...part }];
}

/** The fields of a check that its parts have, too. */
export const OWN_FIELDS: readonly string[] = OWN;

export const partName = ({ name }: CheckPartSpec, index: number): string => name ?? `part-${index + 1}`;

export const wordOf = (part: CheckPartSpec): Word => WORDS.find((word) => part[word] !== undefined) ?? 'now';

/** What each part earns. */
export function sharesOf(spec: CheckSpec): readonly number[] {
  const parts = partsOf(spec);
  const total = spec.points ?? (parts.some(({ points }) => points !== undefined) ? undefined : 1);
  if (!Array.isArray(spec.parts)) return [total ?? 1];
  return parts.map(({ points }) => points ?? (total ?? parts.length) / parts.length);
}

export const pointsOf = (spec: CheckSpec): number =>
  roundPoints(sharesOf(spec).reduce((sum, points) => sum + points, 0));

/** Shares of a third do not add up to a whole otherwise. */
export const roundPoints = (points: number): number => Math.round(points * 1_000) / 1_000;

/** 'After so long' or 'at this time', from the creation on. */
export const momentOf = (text: string, start: Millis): Millis => {
  const span = readSpan(text);
  return span === undefined ? parseTimestamp(text) : start + span;
};

export const everyOf = ({ every, probe }: CheckPartSpec): Millis =>
  readSpan(every) ?? (probe ? PROBE_EVERY : DEFAULT_EVERY);

export const scoreText = ({ score = 0, points = 1 }: Check['status']): string => `${score}/${points}`;
