import type { WatchResponse } from '@terrarium/engine';
import type { Limits } from '../limits.js';
import { FrameStream } from '../watch/frame-stream.js';
import { MAX_TIMER_MS } from '../watch/timers.js';

const SECOND = 1_000;

/**
 * A watch of a past state: what there was, a bookmark, and then nothing, since the past does not change, until the
 * watch's timeout or the reader's leave.
 */
export function openPastWatch(
  response: WatchResponse,
  revision: number,
  { streamBytes, bookmarkMs }: Pick<Limits, 'streamBytes' | 'bookmarkMs'>,
): FrameStream {
  const stream = new FrameStream(streamBytes);
  stream.writeInitial(response.initial);
  const writeBookmark = (): void => {
    const frame = response.bookmark(revision);
    if (frame !== undefined && !stream.hasEnded) stream.write([frame]);
  };
  const bookmarks = setInterval(writeBookmark, bookmarkMs);
  const timeout = setTimeout(() => stream.end(), Math.min(response.timeoutSeconds * SECOND, MAX_TIMER_MS));
  stream.onEnd(() => {
    clearInterval(bookmarks);
    clearTimeout(timeout);
  });
  return stream;
}
