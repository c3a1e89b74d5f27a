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
import {
  changeInText,
  Compacted,
  decodeChanges,
  isSame,
  unpack,
  type LogStore,
  type Segment,
  type StoredChange,
} from '@terrarium/store';

export interface HistoryLimits {
  /** Real ms of one question. */
  readonly historyMs: number;
  /** Changes that one question looks at. */
  readonly historyChanges: number;
}

type Search = Extract<HistoryQuery, { type: 'search' }>;
type Creation = Extract<HistoryQuery, { type: 'creation' }>;

/** Segments of one read of a scan, which goes backwards in windows of revisions: twice as many each time. */
const PAGE = 64;
const FIRST_WINDOW = 256;
const MAX_WINDOW = 4_096;
const SECOND_MS = 1_000;

/**
 * Answers one question about a cluster's past from its log, in bounded steps: single segments are found by their
 * revisions, times by bisection. Make one for each question.
 */
export class LogHistory {
  private readonly decoded = new Map<number, PastChange[]>();
  private readonly texts: { readonly segment: Segment; readonly text: string }[] = [];
  private looked = 0;
  private readonly end: number;

  constructor(
    private readonly store: Pick<LogStore, 'read' | 'oldestRetained'>,
    private readonly id: string,
    private readonly head: number,
    private readonly limits: HistoryLimits,
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
      return { changes: reached.changes, reached: error.oldest, ended: 'retention' };
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

  /** One change: of a large segment the others are not decoded. */
  private async changeAt(revision: number): Promise<PastChange | undefined> {
    let known = this.texts.find(({ segment }) => segment.first <= revision && revision <= segment.last);
    if (!known) {
      const [segment] = await this.store.read(this.id, revision - 1, 1);
      if (!segment || segment.first > revision || !hasChanges(segment)) return undefined;
      this.texts.push((known = { segment, text: unpack(segment.changes) }));
    }
    this.looked++;
    const { segment, text } = known;
    const stored = changeInText(text, segment.first, revision);
    return stored ? pastChange(stored) : this.decode(segment).find((one) => one.revision === revision);
  }

  /** The changes of the segment that has this revision; undefined when the log has it no longer. */
  private async changesAt(revision: number): Promise<PastChange[] | undefined> {
    for (const known of this.decoded.values())
      if (known[0]!.revision <= revision && revision <= known.at(-1)!.revision) return known;
    const [segment] = await this.store.read(this.id, revision - 1, 1);
    const found = segment && segment.first <= revision ? this.decode(segment) : [];
    return found.length > 0 ? found : undefined;
  }

  private decode(segment: Segment): PastChange[] {
    let changes = this.decoded.get(segment.first);
    if (changes) return changes;
    if (!hasChanges(segment)) return [];
    changes = decodeChanges(segment.changes, segment.first)
      .filter(({ revision }) => revision <= segment.last)
      .map(pastChange);
    this.looked += changes.length;
    if (changes.length > 0) this.decoded.set(segment.first, changes);
    return changes;
  }

  private async creation({ resource, namespace, name, at }: Creation): Promise<HistoryAnswer> {
    let revision = await this.firstSince(at);
    for (; revision <= this.head;) {
      const changes = await this.changesAt(revision);
      if (!changes) return { changes: [], reached: revision, ended: 'retention' };
      const found = changes.find(
        (one) => one.verb === 'create' && one.resource === resource && one.namespace === namespace && one.name === name,
      );
      if (found && found.at >= at) return { changes: [found], reached: found.revision };
      const last = changes.at(-1)!;
      if (last.at >= at + SECOND_MS) break;
      if (this.isSpent) return { changes: [], reached: revision, ended: 'budget' };
      revision = last.revision + 1;
    }
    return { changes: [], reached: revision, ended: 'retention' };
  }

  /** The first revision at or after a virtual time: times never go back in a log. */
  private async firstSince(at: number): Promise<number> {
    let low = (await this.store.oldestRetained(this.id)) + 1;
    let high = this.head;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const changes = await this.changesAt(middle);
      if (!changes) return low;
      if (changes.at(-1)!.at < at) low = changes.at(-1)!.revision + 1;
      else if (changes[0]!.at >= at && changes[0]!.revision > low) high = changes[0]!.revision;
      else return Math.max(low, changes.find((one) => one.at >= at)?.revision ?? low);
    }
    return low;
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

  /** Changes after `low` up to `high`: those of segments whose text names what is looked for. */
  private async window(low: number, high: number, filter: ChangeFilter): Promise<PastChange[]> {
    const found: PastChange[] = [];
    for (let after = low; after < high;) {
      const segments = await this.store.read(this.id, after, PAGE);
      if (segments.length === 0) break;
      for (const segment of segments) {
        if (segment.first > high) break;
        if (mayMatch(segment, filter)) found.push(...this.decode(segment));
        else this.looked += segment.last - segment.first + 1;
      }
      after = segments.at(-1)!.last;
    }
    return found.filter(({ revision }) => revision > low && revision <= high);
  }
}

/** Where a whole state was replaced there are none. */
const hasChanges = ({ changes }: Segment): boolean => changes.length > '[]'.length;

/** A look at the text spares decoding most segments of a search by name. */
function mayMatch(segment: Segment, { name, resource, since, after }: ChangeFilter): boolean {
  if (!hasChanges(segment)) return false;
  if (since !== undefined || after !== undefined || (name === undefined && resource === undefined)) return true;
  const text = unpack(segment.changes);
  return [name, resource].every((part) => part === undefined || text.includes(`${JSON.stringify(part)},`));
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
