import type { Pod } from '../../api/core_v1.js';
import { ClusterAuth } from '../../auth/cluster-auth.js';
import { Nodes, ServiceAccounts } from '../../kinds/index.js';
import { ISSUER } from '../../machinery/requests/auth.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { SeededRandom, hash32 } from '../../machinery/random.js';
import { HOUR, parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';
import type { State } from '../../runtime/state/state.js';

/** A kubelet asks for a new token when the old one has used up so much of its time, or after a day. */
const ROTATES_AT = 0.8;
const MAX_AGE = 24 * HOUR;

/**
 * The token of a pod's service account that its kubelet has mounted at a time: '' in a cluster without keys. Models
 * pkg/kubelet/token/token_manager.go.
 */
export function podToken(
  state: State,
  keys: ClusterKeys | undefined,
  pod: Pod,
  audience: string | undefined,
  seconds: number,
  now: Millis,
): string {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const account = state.get(ServiceAccounts, { namespace, name: pod.spec.serviceAccountName ?? 'default' });
  if (!account || !keys) return '';
  const since = parseTimestamp(pod.status.startTime ?? pod.metadata.creationTimestamp ?? '');
  const period = Math.min(seconds * SECOND * ROTATES_AT, MAX_AGE);
  const issued = since + Math.max(0, Math.floor((now - since) / period)) * period;
  const token = new ClusterAuth(state, keys).issueToken(account, {
    audiences: [audience ?? ISSUER],
    issued,
    expires: issued + seconds * SECOND,
    id: new SeededRandom(hash32(`${uid}/${audience ?? ''}`), issued).uuid(),
    bound: { pod: { name, uid }, ...nodeOf(state, pod) },
  });
  return token ?? '';
}

function nodeOf(state: State, { spec }: Pod): { readonly node?: { readonly name: string; readonly uid?: string } } {
  const name = spec.nodeName;
  if (!name) return {};
  const uid = state.get(Nodes, { namespace: '', name })?.metadata.uid;
  return { node: { name, ...(uid ? { uid } : {}) } };
}
