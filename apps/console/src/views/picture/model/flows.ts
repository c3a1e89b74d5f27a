import type { Flow } from './operations.generated.js';
import type { Thing, World } from './world.js';

export type { Flow };

/** What goes from one thing to another, all flows of one verdict together. */
export interface Stream {
  readonly key: string;
  readonly from: Thing;
  /** A pod; the Service, when a packet has come no further. */
  readonly to: Thing;
  readonly isRefused: boolean;
  readonly flow: Flow;
  /** Flows that were told of. */
  readonly count: number;
  /** Real ms when it was last told. */
  readonly at: number;
}

const MAX_STREAMS = 400;
/** A flow that nobody tells of any more is not drawn any longer than that. */
const LASTING_MS = 20_000;
/** Flows by id, so that one is counted once. */
const MAX_KNOWN = 2_000;

/** The flows between things of the picture that are drawn: the latest of each pair and verdict. */
export class Streams {
  private readonly byPair = new Map<string, Stream>();
  private readonly known = new Set<string>();

  get all(): Iterable<Stream> {
    return this.byPair.values();
  }

  get size(): number {
    return this.byPair.size;
  }

  tell(world: World, flows: readonly Flow[], now: number): void {
    // The latest is told first.
    for (let i = flows.length - 1; i >= 0; i--) {
      const flow = flows[i]!;
      const from = thingAt(world, flow.from);
      const to = thingAt(world, flow.to) ?? thingAt(world, flow.service ?? '');
      if (!from || !to) continue;
      const isRefused = flow.verdict !== 'Delivered';
      const key = `${from.uid}>${to.uid}>${flow.verdict}`;
      const before = this.byPair.get(key);
      this.byPair.delete(key);
      const count = (before?.count ?? 0) + (this.note(flow.id) ? 1 : 0);
      this.byPair.set(key, { key, from, to, isRefused, flow, count, at: now });
    }
    this.forget(world, now);
  }

  clear(): void {
    this.byPair.clear();
    this.known.clear();
  }

  /** Whether it is told of for the first time. */
  private note(id: string): boolean {
    if (this.known.has(id)) return false;
    this.known.add(id);
    if (this.known.size > MAX_KNOWN) this.known.delete(this.known.values().next().value!);
    return true;
  }

  /** What is over, and what the picture has no more. */
  forget(world: World, now: number): void {
    for (const [key, { at, from, to }] of this.byPair) {
      const isGone = world.get(from.uid) !== from || world.get(to.uid) !== to;
      if (isGone || this.byPair.size > MAX_STREAMS || now - at >= LASTING_MS) this.byPair.delete(key);
    }
  }
}

const KINDS: Readonly<Record<string, string>> = { pod: 'Pod', service: 'Service' };

/** 'pod/shop/web' or 'service/shop/web', when the picture has it. */
function thingAt(world: World, end: string): Thing | undefined {
  const [word = '', namespace = '', name = ''] = end.split('/');
  const kind = KINDS[word];
  return kind === undefined ? undefined : world.find(kind, namespace, name);
}
