import { historyKey, type HistoryAnswer, type HistoryQuery } from '@terrarium/engine';
import type { LogStore } from '@terrarium/store';
import { LogHistory, type HistoryLimits } from './log-history.js';
import type { SegmentTexts } from './segment-texts.js';

/** Questions of one request about the past. */
const MAX_QUESTIONS = 24;

export interface HistorySource {
  readonly store: Pick<LogStore, 'read' | 'oldestRetained'>;
  readonly id: string;
  /** Revision of the last change that is stored. */
  head(): number;
  readonly limits: HistoryLimits;
  readonly segmentTexts: SegmentTexts;
  /** The revision that the log began at. */
  readonly beginning?: number;
  /** The name of the template that the cluster was made of. */
  readonly template?: string | undefined;
}

/** What a request knows of the log at first: its host reads it when it is asked to. */
export const NO_HISTORY: Pick<ReadonlyMap<string, HistoryAnswer>, 'get'> = { get: () => undefined };

/**
 * Runs a request again with what it wants to know of the log, until it wants to know no more. The past does not change,
 * so that answers hold for all runs. `first`: what its first run has come to.
 */
export async function settleHistory<T extends object>(
  source: HistorySource,
  first: T,
  run: (history: Pick<ReadonlyMap<string, HistoryAnswer>, 'get'>) => Promise<T>,
): Promise<T> {
  const answers = new Map<string, HistoryAnswer>();
  let response = first;
  for (let i = 0; wantsHistory(response); i++) {
    const { store, id, limits, segmentTexts, beginning } = source;
    const isSpent = i >= MAX_QUESTIONS;
    const answer = isSpent
      ? SPENT
      : await new LogHistory(store, id, source.head(), limits, segmentTexts, beginning).answer(response.history);
    const isNamed = answer.ended === 'beginning' && source.template !== undefined;
    answers.set(historyKey(response.history), isNamed ? { ...answer, template: source.template! } : answer);
    response = await run(answers);
  }
  return response;
}

const SPENT: HistoryAnswer = { changes: [], reached: 0, ended: 'budget' };

export const wantsHistory = <T extends object>(response: T): response is T & { readonly history: HistoryQuery } =>
  'history' in response && response.history !== undefined;
