import { useQuery } from '../../api/graphql.js';
import { READ_TIMELINE } from '../../kube/why/why.generated.js';
import { timeOfMoment } from './moments.js';

const REVISION = /^\d+$/;

/** The virtual ms of a moment, also of a revision: when its change was made. Undefined until that is known. */
export function useTimeOf(clusterId: string, at: string, now: number): number | undefined {
  const isRevision = REVISION.test(at);
  const filter = isRevision ? { before: Number(at) + 1, limit: 1 } : {};
  const { data } = useQuery(READ_TIMELINE, { clusterId, filter }, { skip: !isRevision });
  if (!isRevision) return timeOfMoment(at, now);
  return Date.parse(data?.timeline.entries[0]?.at ?? '') || undefined;
}
