import type { StreamResponse } from '@terrarium/engine';
import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import type { HostContext } from '../host-context.js';
import type { ChangeHistory } from '../log/change-history.js';
import type { Listener } from './broadcaster.js';
import { FrameStream } from './frame-stream.js';
import { subscribe } from './subscription.js';
import { MAX_TIMER_MS } from './timers.js';

/** A followed pod log: read again at the time that it names, and after every change of the cluster. */
export async function openPodLogStream(
  { limits, now, onError }: Pick<HostContext, 'limits' | 'now' | 'onError'>,
  history: ChangeHistory,
  cluster: LoadedCluster,
  response: StreamResponse,
): Promise<FrameStream> {
  const { engine, serial } = cluster;
  const stream = new FrameStream(limits.streamBytes);
  let timer: NodeJS.Timeout | undefined;
  let isScheduled = false;
  const scheduleRead = (): void => {
    if (isScheduled || stream.hasEnded) return;
    isScheduled = true;
    clearTimeout(timer);
    // Between two runs of the engine, so that nothing is read that is not stored.
    void serial.run(read).catch((error: unknown) => {
      onError(error, cluster.row.id);
      stream.end();
    });
  };
  const read = (): void => {
    isScheduled = false;
    if (stream.hasEnded) return;
    const { chunk, done, wakeAt } = response.next(engine.virtualNow(now()));
    if (chunk) stream.write([chunk]);
    if (done) return stream.end();
    const at = wakeAt === undefined ? undefined : engine.realTimeOf(wakeAt, now());
    if (at !== undefined) timer = setTimeout(scheduleRead, Math.min(Math.max(1, at - now()), MAX_TIMER_MS));
  };
  const listener: Listener = { changes: scheduleRead, ended: () => stream.end() };
  const unsubscribe = await subscribe(history, cluster, cluster.head, listener);
  stream.onEnd(() => {
    clearTimeout(timer);
    unsubscribe();
  });
  scheduleRead();
  return stream;
}
