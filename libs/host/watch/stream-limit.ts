import type { LoadedCluster } from '../clusters/loaded-cluster.js';
import { tooManyRequests } from '../gate/status-responses.js';
import type { HostContext } from '../host-context.js';
import type { FrameStream } from './frame-stream.js';

/** Opens a stream and counts it until it ends. Rejects with 429 when the cluster has too many streams. */
export async function openLimited(
  cluster: Pick<LoadedCluster, 'streams'>,
  { limits, metrics }: Pick<HostContext, 'limits' | 'metrics'>,
  open: () => FrameStream | Promise<FrameStream>,
): Promise<FrameStream> {
  if (cluster.streams >= limits.clusterStreams) {
    metrics.refuse('streams');
    throw tooManyRequests();
  }
  cluster.streams++;
  try {
    const stream = await open();
    stream.onEnd(() => cluster.streams--);
    return stream;
  } catch (error) {
    cluster.streams--;
    throw error;
  }
}
