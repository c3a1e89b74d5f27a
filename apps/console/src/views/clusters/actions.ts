import { rest } from '../../api/rest.js';
import { toFailure } from '../../api/failure.js';
import { say } from '../../app/shell/toasts.js';
import { t } from '../../texts/texts.js';

const path = (id: string): string => `/v1/clusters/${encodeURIComponent(id)}`;

export const pauseCluster = (id: string): Promise<unknown> => rest('POST', `${path(id)}/pause`);
export const resumeCluster = (id: string): Promise<unknown> => rest('POST', `${path(id)}/resume`);
/** The cluster ends so long from now; null: it does not end. */
export const extendCluster = (id: string, ttl: string | null): Promise<unknown> => rest('PATCH', path(id), { ttl });
export const deleteCluster = (id: string): Promise<unknown> => rest('DELETE', path(id));
export const createClusters = (batch: object): Promise<{ items: readonly { id: string }[] }> =>
  rest('POST', '/v1/clusters/batch', batch);
export const forkCluster = (id: string, forks: object): Promise<{ items: readonly { id: string }[] }> =>
  rest('POST', `${path(id)}/forks`, forks);

/** Requests that are under way at once: a tenant has few turns. */
const AT_ONCE = 4;

/** Does the same to each cluster, and says of how many it was done and why it was not of others. */
export async function doToEach(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  done: (count: number) => string,
): Promise<void> {
  const left = [...ids];
  const reasons = new Set<string>();
  let count = 0;
  const lane = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await act(id);
        count++;
      } catch (error) {
        reasons.add(toFailure(error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (count > 0) say(done(count));
  if (reasons.size > 0) say(t.clusters.notDone(ids.length - count, [...reasons].slice(0, 3).join('; ')), 'bad');
}
