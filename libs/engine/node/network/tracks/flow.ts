import type { Flow } from '../../../kernel/conntrack/track.js';
import { describeHop } from '../../trace/describe.js';
import type { Hop } from '../walk/hop.js';
import type { Way } from '../walk/way.js';

/** What is remembered of a connection's way. */
export const flowOf = ({ passed, hops, end }: Way): Flow => ({ passed, decided: decidedBy(hops, 'error' in end) });

/** The policy that has let it pass; or what has stopped it. */
function decidedBy(hops: readonly Hop[], isStopped: boolean): string {
  const hop = isStopped ? hops.at(-1) : hops.findLast(({ type }) => type === 'policy');
  return hop ? describeHop(hop).text : '';
}
