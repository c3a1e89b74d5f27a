import {
  changedMetadata,
  isBehind,
  matchesFilter,
  matchesVerb,
  summarize,
  typedLinesOf,
  type ChangeFilter,
  type HistoryAnswer,
  type HistoryQuery,
  type PastChange,
} from '@terrarium/engine';
import { Compacted, isSame, timeOfFirst, type LogStore, type Segment, type StoredChange } from '@terrarium/store';
import { hasChanges, type SegmentText } from './segment-text.js';
import type { SegmentTexts } from './segment-texts.js';

export interface HistoryLimits {
  /** Real ms of one question. */
  readonly historyMs: number;
  /** Changes that one question looks at. */
  readonly historyChanges: number;
}

type Search = Extract<HistoryQuery, { type: 'search' }>;
type Creation = Extract<HistoryQuery, { type: 'creation' }>;

/** Segments of one read: a few may hold all that is wanted, or very many are needed. Twice as many each time. */
const FIRST_PAGE = 4;
const MAX_PAGE = 64;
/** A scan goes backwards in windows of revisions: twice as many each time. */
const FIRST_WINDOW = 256;
const MAX_WINDOW = 4_096;
const SECOND_MS = 1_000;
/** Segments whose revisions are looked at first. */
const MAX_RECENT = 8;

/**
 * Answers one question about a cluster's past from its log, in bounded steps: single segments are found by their
 * revisions, times by bisection. Make one for each question.
 */
export class LogHistory {
  private readonly recent: SegmentText[] = [];
  private looked = 0;
  private readonly end: number;

  constructor(
    private readonly store: Pick<LogStore, 'read' | 'oldestRetained'>,
    private readonly id: string,
    private readonly head: number,
    private readonly limits: HistoryLimits,
    private readonly texts: SegmentTexts,
    /** The revision that the log began at. */
    private readonly beginning = 0,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.end = clock() + limits.historyMs;
  }

  async answer(query: HistoryQuery): Promise<HistoryAnswer> {
    const reached: { changes: PastChange[]; revision: number } = { changes: [], revision: this.head };
    try {
      if (query.type === 'chain') return await this.chain(query.revision, query.limit, reached.changes);
      if (query.type === 'creation') return await this.creation(query);
      return await this.search(query, reached);
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      return { changes: reached.changes, reached: error.oldest, ended: error.isBeginning ? 'beginning' : 'retention' };
    }
  }

  private get isSpent(): boolean {
    return this.clock() > this.end || this.looked > this.limits.historyChanges;
  }

  private async chain(from: number, limit: number, changes: PastChange[]): Promise<HistoryAnswer> {
    let revision = from;
    while (revision > 0 && changes.length < limit) {
      if (this.isSpent) return { changes, reached: revision, ended: 'budget' };
      const found = await this.changeAt(revision);
      // The log begins on a template's checkpoint.
      if (!found) return { changes, reached: revision, ended: 'retention' };
      changes.push(found);
      revision = found.cause < revision ? found.cause : 0;
    }
    return { changes, reached: revision };
  }

  private async changeAt(revision: number): Promise<PastChange | undefined> {
    const segment = await this.segmentAt(revision);
    return segment && this.changeOf(segment, revision);
  }

  /** One change: of a large segment the others are not parsed. */
  private changeOf(segment: SegmentText, revision: number): PastChange | undefined {
    this.looked++;
    const [stored] = segment.range(revision, revision);
    return stored && pastChange(stored);
  }

  /** The segment that has this revision; undefined when the log has it no longer. */
  private async segmentAt(revision: number): Promise<SegmentText | undefined> {
    const known = this.recent.find((one) => one.has(revision));
    if (known) return known;
    const [segment] = await this.store.read(this.id, revision - 1, 1);
    return segment && segment.first <= revision && hasChanges(segment) ? this.textOf(segment) : undefined;
  }

  private textOf(segment: Segment): SegmentText {
    const known = this.recent.find(({ first, last }) => first === segment.first && last === segment.last);
    if (known) return known;
    const text = this.texts.of(this.id, segment);
    this.recent.push(text);
    if (this.recent.length > MAX_RECENT) this.recent.shift();
    return text;
  }

  private async creation({ resource, namespace, name, at }: Creation): Promise<HistoryAnswer> {
    let revision = await this.firstSince(at);
    const first = revision;
    for (; revision <= this.head;) {
      const segment = await this.segmentAt(revision);
      if (!segment) return { changes: [], reached: revision, ended: 'retention' };
      const found = this.naming(segment, [resource, name]).find(
        (one) =>
          one.verb === 'create' &&
          one.at >= at &&
          one.resource === resource &&
          one.namespace === namespace &&
          one.name === name,
      );
      if (found) return { changes: [found], reached: found.revision };
      if ((this.changeOf(segment, segment.last)?.at ?? Infinity) >= at + SECOND_MS) break;
      if (this.isSpent) return { changes: [], reached: revision, ended: 'budget' };
      revision = segment.last + 1;
    }
    return { changes: [], reached: revision, ended: await this.endBefore(first) };
  }

  /** Why what is not found after a revision, the first that is retained, is not in the log. */
  private async endBefore(first: number): Promise<'beginning' | 'retention'> {
    try {
      await this.store.read(this.id, first - 2, 1);
      return 'retention';
    } catch (error) {
      if (error instanceof Compacted) return error.isBeginning ? 'beginning' : 'retention';
      throw error;
    }
  }

  /** A revision of the last segment that begins before a virtual time: times never go back in a log. */
  private async firstSince(at: number): Promise<number> {
    let low = (await this.store.oldestRetained(this.id)) + 1;
    let high = this.head;
    let found = low;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const [segment] = await this.store.read(this.id, middle - 1, 1);
      const time = segment && segment.first <= middle ? timeOfFirst(segment.changes) : undefined;
      if (!segment || time === undefined) return found;
      this.looked++;
      if (time >= at) high = Math.min(segment.first, high - 1);
      else [found, low] = [Math.max(found, segment.first), segment.last + 1];
    }
    return found;
  }

  /** The changes of a segment that may be of these names. */
  private naming(segment: SegmentText, names: readonly string[]): PastChange[] {
    this.looked += segment.length;
    return segment.naming(names.map((name) => `${JSON.stringify(name)},`)).map(pastChange);
  }

  private async search(
    { filter, before, limit }: Search,
    reached: { changes: PastChange[]; revision: number },
  ): Promise<HistoryAnswer> {
    const { changes } = reached;
    const oldest = await this.store.oldestRetained(this.id);
    let high = Math.min(before - 1, this.head);
    for (let size = FIRST_WINDOW; high > oldest; size = Math.min(2 * size, MAX_WINDOW)) {
      if (this.isSpent) return { changes, reached: high, ended: 'budget' };
      const low = Math.max(oldest, high - size);
      const window = await this.window(low, high, filter);
      for (const change of window.reverse()) {
        if (isBehind(filter, change)) return { changes, reached: 0 };
        if (matchesFilter(filter, change) && matchesVerb(filter, change)) changes.push(change);
        if (changes.length >= limit) return { changes, reached: change.revision - 1 };
      }
      high = low;
      reached.revision = low;
    }
    return { changes, reached: oldest, ...(oldest > this.beginning ? { ended: 'retention' as const } : {}) };
  }

  /** Changes after `low` up to `high` that may match. */
  private async window(low: number, high: number, filter: ChangeFilter): Promise<PastChange[]> {
    const found: PastChange[] = [];
    let page = FIRST_PAGE;
    for (let after = low; after < high; page = Math.min(2 * page, MAX_PAGE)) {
      const segments = await this.store.read(this.id, after, page);
      if (segments.length === 0) break;
      for (const segment of segments) {
        if (segment.first > high) break;
        if (hasChanges(segment)) found.push(...this.candidates(this.textOf(segment), low, high, filter));
        else this.looked += segment.last - segment.first + 1;
      }
      after = segments.at(-1)!.last;
    }
    return found.filter(({ revision }) => revision > low && revision <= high);
  }

  /** What is searched by name is found in the text: most changes of a segment are not parsed. */
  private candidates(segment: SegmentText, low: number, high: number, filter: ChangeFilter): PastChange[] {
    const { name, resource, since, after } = filter;
    const names = [name, resource].filter((part) => part !== undefined);
    // Where a search ends is seen by changes that do not match.
    if (names.length > 0 && since === undefined && after === undefined) return this.naming(segment, names);
    const changes = segment.range(low + 1, high);
    this.looked += changes.length;
    return changes.map(pastChange);
  }
}

function pastChange(stored: StoredChange): PastChange {
  const body = stored.body as Record<string, unknown>;
  const metadata = (body['metadata'] ?? {}) as Record<string, unknown>;
  const isCreation = stored.type === 'put' && !stored.shared;
  const fields = stored.shared
    ? [
        ...Object.keys(body).filter((field) => field !== 'metadata' && !isSame(body[field])),
        ...changedMetadata(Object.keys(metadata), (field) => !isSame(metadata[field])),
      ]
    : [];
  const typed = isCreation ? typedLinesOf(stored.resource, body) : undefined;
  return { ...summarize(stored, isCreation, fields), ...(typed ? { typed } : {}) };
}
