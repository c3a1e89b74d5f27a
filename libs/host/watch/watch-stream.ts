import type { WatchResponse } from '@terrarium/engine';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { HostContext } from '../host-context.js';
import { encodeFrames, type EndReason, type FrameListener } from './broadcaster.js';
import { FrameStream } from './frame-stream.js';
import type { Frame } from './frames.js';
import { LastingSubscription, type SubscriptionParts } from './lasting-subscription.js';
import { MAX_TIMER_MS } from './timers.js';

const SECOND = 1_000;

/** Asks a copy of the cluster for the same watch from a later revision; undefined when it no longer grants it. */
export type WatchAgain = (cluster: LoadedCluster, fromRevision: number) => Promise<WatchResponse | undefined>;

/** Encodes a watch's bookmarks too. */
interface WatchListener extends FrameListener {
  bookmark(revision: number): Frame | undefined;
}

/** The frames of one watch: the initial state, past changes, live changes and bookmarks, until its timeout. */
export function openWatchStream(
  { limits, metrics, onError }: Pick<HostContext, 'limits' | 'metrics' | 'onError'>,
  parts: SubscriptionParts,
  cluster: LoadedCluster,
  response: WatchResponse,
  watchAgain: WatchAgain,
): FrameStream {
  const stream = new FrameStream(limits.streamBytes);
  const write = (frames: readonly Frame[]): void => {
    if (!stream.hasEnded && !stream.write(frames)) metrics.cutOff++;
  };
  // Responses hold their copy of the cluster: only the live listener keeps one.
  let first: WatchResponse | undefined = response;
  const listenTo = async (copy: LoadedCluster, fromRevision: number): Promise<WatchListener | undefined> => {
    const current = first ?? (await watchAgain(copy, fromRevision));
    first = undefined;
    return current && listenerOf(current, stream, write);
  };
  const subscription = new LastingSubscription(parts, listenTo, (_reason, error) => {
    if (error !== undefined) onError(error, cluster.row.id);
    stream.end();
  });
  // A bookmark promises that everything before it has been sent.
  const writeBookmark = (): void => {
    const { live } = subscription;
    const frame = live?.listener.bookmark(live.cluster.head);
    if (frame !== undefined) write([frame]);
  };
  stream.onEnd(startTimers(stream, writeBookmark, limits.bookmarkMs, response.timeoutSeconds));
  stream.onEnd(() => subscription.end());
  stream.writeInitial(response.initial);
  // Not awaited: the reader takes past changes while they are delivered.
  void subscription.join(cluster, response.fromRevision).catch((error: unknown) => {
    onError(error, cluster.row.id);
    stream.end();
  });
  return stream;
}

function listenerOf(
  response: WatchResponse,
  stream: FrameStream,
  write: (frames: readonly Frame[]) => void,
): WatchListener {
  return {
    resource: response.resource,
    shareKey: `${response.resource} ${response.shareKey}`,
    encode: (change) => response.encode(change),
    bookmark: (revision) => response.bookmark(revision),
    frames: write,
    bufferedBytes: () => stream.bufferedBytes,
    changes: (changes) => {
      write(encodeFrames(response, changes));
      return stream.waitUntilDrained();
    },
    ended: (reason: EndReason, oldest = 0) => {
      if (reason === 'expired') write([response.expired(response.fromRevision, oldest)]);
      stream.end();
    },
  };
}

/** Writes bookmarks, and ends the stream with one at its timeout. Returns what stops the timers. */
function startTimers(
  stream: FrameStream,
  writeBookmark: () => void,
  bookmarkMs: number,
  timeoutSeconds: number,
): () => void {
  const bookmarks = setInterval(writeBookmark, bookmarkMs);
  const finish = (): void => {
    writeBookmark();
    stream.end();
  };
  const timeout = setTimeout(finish, Math.min(timeoutSeconds * SECOND, MAX_TIMER_MS));
  return () => {
    clearInterval(bookmarks);
    clearTimeout(timeout);
  };
}
