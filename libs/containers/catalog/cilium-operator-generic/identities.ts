import type { Client } from '@terrarium/engine';
import { parseTimestamp, timestamp } from '../../../engine/machinery/time/time.js';
import { CiliumEndpoints, CiliumIdentities } from '../../../engine/node/cni/cilium/objects.js';

const HEARTBEAT = 'io.cilium.heartbeat';
/** An identity that nobody has had for so long goes: identity-heartbeat-timeout. */
const TIMEOUT = 30 * 60_000;

/**
 * Identities that no endpoint has are marked with the time, and go when it is long ago. Returns when to look again.
 * Models operator/identitygc.
 */
export function collectIdentities(api: Client, now: number): number | undefined {
  const identities = api.list(CiliumIdentities);
  if (identities.length === 0) return undefined;
  const used = new Set(api.list(CiliumEndpoints).map(({ status }) => String(status?.identity?.id ?? '')));
  let next: number | undefined;
  for (const one of identities) {
    const { name = '', annotations = {} } = one.metadata;
    const since = annotations[HEARTBEAT];
    if (used.has(name)) {
      if (since === undefined) continue;
      const { [HEARTBEAT]: _gone, ...others } = annotations;
      api.update(CiliumIdentities, { ...one, metadata: { ...one.metadata, annotations: others } });
      continue;
    }
    if (since === undefined) {
      const marked = { ...annotations, [HEARTBEAT]: timestamp(now) };
      api.update(CiliumIdentities, { ...one, metadata: { ...one.metadata, annotations: marked } });
    }
    const due = (since === undefined ? now : parseTimestamp(since)) + TIMEOUT;
    if (due <= now) api.delete(CiliumIdentities, { namespace: '', name });
    else next = Math.min(next ?? due, due);
  }
  return next;
}
