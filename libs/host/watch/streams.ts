import type { AppliedChange, StreamResponse, WatchResponse } from '@terrarium/engine';
import { Compacted } from '@terrarium/store';
import { encodeAll, type EndReason, type Frame, type FrameListener, type Listener } from './feed.js';
import { FrameStream } from './frame-stream.js';
import type { ClusterHost } from '../host.js';
import type { Warm } from '../clusters/loaded-cluster.js';

/** Changes that a listener is given at once before it must have taken them. */
const BATCH = 500;
const SECOND = 1_000;
/** Longest wait of a timer: setTimeout overflows beyond. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Brings a listener from a revision to the present, then adds it to the feed. Returns what ends it. */
export async function subscribe(
  host: ClusterHost,
  warm: Warm,
  fromRevision: number,
  listener: Listener,
): Promise<() => void> {
  let left = false;
  const leave = (): void => {
    left = true;
    warm.feed.remove(joined);
  };
  // A revision that is still to come: what leads up to it is not delivered.
  const joined = fromRevision > warm.head ? after(fromRevision, listener) : listener;
  warm.pins++;
  try {
    for (let at = Math.min(fromRevision, warm.head); !left;) {
      const recent = await warm.serial.run(() => {
        const changes = warm.window.after(at, BATCH);
        if (warm.gone) listener.ended('closed');
        else if (changes?.length === 0) warm.feed.add(joined);
        return warm.gone ? [] : changes;
      });
      if (recent?.length === 0) break;
      at = recent ? await deliver(recent, listener) : await deliverPast(host, warm, at, () => left, listener);
    }
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    listener.ended('expired', error.oldest);
  } finally {
    warm.pins--;
  }
  return leave;
}

async function deliver(changes: readonly AppliedChange[], listener: Listener): Promise<number> {
  await listener.changes(changes);
  return changes[changes.length - 1]!.revision;
}

/** From the store, up to where the window begins. */
async function deliverPast(
  host: ClusterHost,
  warm: Warm,
  from: number,
  left: () => boolean,
  listener: Listener,
): Promise<number> {
  const oldest = await host.oldestRetained(warm.row.id);
  if (from < oldest) throw new Compacted(oldest);
  let at = from;
  for await (const changes of host.states.past(warm.row, from, warm.window.start, host.limits.readSegments)) {
    for (let i = 0; i < changes.length && !left(); i += BATCH)
      at = await deliver(changes.slice(i, i + BATCH), listener);
    if (left()) break;
  }
  if (at === from && !left()) throw new Error(`the log of ${warm.row.id} ends at ${from}, before ${warm.window.start}`);
  return at;
}

function after(revision: number, listener: Listener): Listener {
  return {
    changes: (changes) => {
      const wanted = changes.filter((c) => c.revision > revision);
      if (wanted.length > 0) return listener.changes(wanted);
    },
    ended: (...reason) => listener.ended(...reason),
  };
}

/** One watch: initial frames, past changes, live ones, bookmarks, timeout. */
export async function watchFrames(host: ClusterHost, warm: Warm, response: WatchResponse): Promise<FrameStream> {
  const stream = new FrameStream(host.limits.streamBytes);
  const write = (frames: readonly Frame[]): void => {
    if (!stream.ended && !stream.write(frames)) host.metrics.cutOff++;
  };
  const listener: FrameListener = {
    resource: response.resource,
    shareKey: `${response.resource} ${response.shareKey}`,
    encode: (change) => response.encode(change),
    frames: write,
    changes: (changes) => {
      write(encodeAll(response, changes));
      return stream.drained();
    },
    ended: (reason: EndReason, oldest = 0) => {
      if (reason === 'expired') write([response.expired(response.fromRevision, oldest)]);
      stream.end();
    },
  };
  let live = false;
  // A bookmark says that everything before it has been sent.
  const bookmark = (): void => {
    const frame = live ? response.bookmark(warm.head) : undefined;
    if (frame !== undefined) write([frame]);
  };
  const bookmarks = setInterval(bookmark, host.limits.bookmarkMs);
  const timeout = setTimeout(
    () => {
      bookmark();
      stream.end();
    },
    Math.min(response.timeoutSeconds * SECOND, MAX_TIMER_MS),
  );
  stream.onEnd(() => {
    clearInterval(bookmarks);
    clearTimeout(timeout);
  });
  stream.begin(response.initial);
  // Not awaited: the reader takes what is behind while it is delivered.
  void subscribe(host, warm, response.fromRevision, listener).then(
    (leave) => {
      live = true;
      stream.onEnd(leave);
    },
    () => stream.end(),
  );
  return stream;
}

/** A log that grows: asked again at the time it names and after every change of the cluster. */
export async function followLogs(host: ClusterHost, warm: Warm, response: StreamResponse): Promise<FrameStream> {
  const stream = new FrameStream(host.limits.streamBytes);
  let timer: NodeJS.Timeout | undefined;
  let asking = false;
  const ask = (): void => {
    if (asking || stream.ended) return;
    asking = true;
    clearTimeout(timer);
    void warm.serial.run(read).catch(() => stream.end());
  };
  // Between runs of the engine, so that nothing is read that is not committed.
  const read = (): void => {
    asking = false;
    if (stream.ended) return;
    const { chunk, done, wakeAt } = response.next(warm.engine.virtualNow(host.now()));
    if (chunk) stream.write([chunk]);
    if (done) return stream.end();
    const at = wakeAt === undefined ? undefined : warm.engine.realTimeOf(wakeAt, host.now());
    if (at !== undefined) timer = setTimeout(ask, Math.min(Math.max(1, at - host.now()), MAX_TIMER_MS));
  };
  const listener: Listener = { changes: ask, ended: () => stream.end() };
  const leave = await subscribe(host, warm, warm.head, listener);
  stream.onEnd(() => {
    clearTimeout(timer);
    leave();
  });
  ask();
  return stream;
}
