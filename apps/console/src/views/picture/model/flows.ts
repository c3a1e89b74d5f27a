import type { World } from './world.js';

/** A flow of the network, as the API tells it. */
export interface Flow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly verdict: string;
  readonly endedAt?: string | null;
  readonly bytesSent?: number;
  readonly bytesReceived?: number;
}

export interface Stream {
  readonly from: number;
  readonly to: number;
  readonly isRefused: boolean;
  /** Real ms when it was last told. */
  readonly at: number;
}

const MAX_STREAMS = 400;
/** A flow that nobody tells of any more is not drawn any longer than that. */
const LASTING_MS = 20_000;

/** The flows between pods that are drawn: the latest of each pair. */
export class Streams {
  private readonly byPair = new Map<string, Stream>();

  get all(): Iterable<Stream> {
    return this.byPair.values();
  }

  get size(): number {
    return this.byPair.size;
  }

  tell(world: World, flows: readonly Flow[], now: number): void {
    for (const flow of flows) {
      const [from, to] = [podOf(world, flow.from), podOf(world, flow.to)];
      if (from < 0 || to < 0) continue;
      const isRefused = flow.verdict !== 'Delivered';
      const pair = `${from}>${to}>${isRefused}`;
      this.byPair.delete(pair);
      this.byPair.set(pair, { from, to, isRefused, at: now });
    }
    this.forget(now);
  }

  clear(): void {
    this.byPair.clear();
  }

  private forget(now: number): void {
    for (const [pair, { at }] of this.byPair) {
      if (this.byPair.size <= MAX_STREAMS && now - at < LASTING_MS) break;
      this.byPair.delete(pair);
    }
  }
}

/** 'pod/shop/web' is a pod of the picture; -1: it is not. */
function podOf(world: World, end: string): number {
  const [kind, namespace = '', name = ''] = end.split('/');
  return kind === 'pod' ? (world.find('Pod', namespace, name)?.index ?? -1) : -1;
}
