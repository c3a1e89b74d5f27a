import type { WatchResponse } from '@terrarium/engine';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { HostContext } from '../host-context.js';
import type { ChangeHistory } from '../log/change-history.js';
import { encodeFrames, type EndReason, type Frame, type FrameListener } from './broadcaster.js';
import { FrameStream } from './frame-stream.js';
import { subscribe } from './subscription.js';
import { MAX_TIMER_MS } from './timers.js';

const SECOND = 1_000;

/** The frames of one watch: the initial state, past changes, live changes and bookmarks, until its timeout. */
export function openWatchStream(
  { limits, metrics }: Pick<HostContext, 'limits' | 'metrics'>,
  history: ChangeHistory,
  cluster: LoadedCluster,
  response: WatchResponse,
): FrameStream {
  const stream = new FrameStream(limits.streamBytes);
  const write = (frames: readonly Frame[]): void => {
    if (!stream.hasEnded && !stream.write(frames)) metrics.cutOff++;
  };
  let isLive = false;
  // A bookmark promises that everything before it has been sent.
  const writeBookmark = (): void => {
    const frame = isLive ? response.bookmark(cluster.head) : undefined;
    if (frame !== undefined) write([frame]);
  };
  const stopTimers = startTimers(stream, writeBookmark, limits.bookmarkMs, response.timeoutSeconds);
  stream.onEnd(stopTimers);
  stream.writeInitial(response.initial);
  // Not awaited: the reader takes past changes while they are delivered.
  void subscribe(history, cluster, response.fromRevision, listenerOf(response, stream, write)).then(
    (unsubscribe) => {
      isLive = true;
      stream.onEnd(unsubscribe);
    },
    () => stream.end(),
  );
  return stream;
}

function listenerOf(
  response: WatchResponse,
  stream: FrameStream,
  write: (frames: readonly Frame[]) => void,
): FrameListener {
  return {
    resource: response.resource,
    shareKey: `${response.resource} ${response.shareKey}`,
    encode: (change) => response.encode(change),
    frames: write,
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
