import {
  isBehind,
  matchesFilter,
  matchesVerb,
  pastChangeOf,
  type AskHistory,
  type HistoryAnswer,
  type HistoryQuery,
  type PastChange,
} from '../../machinery/past-change.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import type { State } from './state.js';

type Chain = Extract<HistoryQuery, { type: 'chain' }>;
type Creation = Extract<HistoryQuery, { type: 'creation' }>;
type Search = Extract<HistoryQuery, { type: 'search' }>;

/** Answers questions about the past: from the last changes, which a state has in memory, then from its host's log. */
export class PastChanges {
  constructor(
    private readonly state: Pick<State, 'historyStart' | 'changeAt' | 'revision'>,
    private readonly ask: AskHistory,
  ) {}

  /** Throws HistoryNeeded when the host has to read first. */
  answer(query: HistoryQuery): HistoryAnswer {
    switch (query.type) {
      case 'chain':
        return this.chain(query);
      case 'creation':
        return this.creation(query);
      case 'search':
        return this.search(query);
    }
  }

  private chain({ revision, limit }: Chain): HistoryAnswer {
    const changes: PastChange[] = [];
    let next = revision;
    while (next > 0 && changes.length < limit) {
      const change = this.state.changeAt(next);
      if (!change) return this.continue(changes, { type: 'chain', revision: next, limit: limit - changes.length });
      changes.push(pastChangeOf(change));
      // A cause is always earlier: nothing else can end in a circle.
      next = change.cause < next ? change.cause : 0;
    }
    return { changes, reached: next };
  }

  private creation(query: Creation): HistoryAnswer {
    const { resource, namespace, name, at } = query;
    for (let revision = this.state.revision; revision > this.state.historyStart; revision--) {
      const change = this.state.changeAt(revision);
      if (!change || isOlder(change.at, at)) return { changes: [], reached: revision };
      const isMeant = change.resource === resource && change.namespace === namespace && change.name === name;
      if (isMeant && change.type === 'put' && !change.old)
        return { changes: [pastChangeOf(change)], reached: revision };
    }
    return this.continue([], query);
  }

  private search({ filter, before, limit }: Search): HistoryAnswer {
    const changes: PastChange[] = [];
    const { historyStart } = this.state;
    let revision = Math.min(before, this.state.revision + 1) - 1;
    for (; revision > historyStart && changes.length < limit; revision--) {
      const change = this.state.changeAt(revision)!;
      if (isBehind(filter, change)) return { changes, reached: 0 };
      if (matchesFilter(filter, change) && matchesVerb(filter, pastChangeOf(change)))
        changes.push(pastChangeOf(change));
    }
    if (changes.length >= limit || revision <= 0) return { changes, reached: revision };
    return this.continue(changes, { type: 'search', filter, before: revision + 1, limit: limit - changes.length });
  }

  /** What the log says after what the memory does. */
  private continue(changes: readonly PastChange[], rest: HistoryQuery): HistoryAnswer {
    const answer = this.ask(rest);
    if (!answer) return { changes, reached: this.state.historyStart, ended: 'retention' };
    return { ...answer, changes: [...changes, ...answer.changes] };
  }
}

/** Whether a change at `at` was before the second of a creationTimestamp. */
const isOlder = (at: Millis, second: Millis): boolean => at < second - SECOND;
