import type { PersistentVolumeClaim, Pod, Volume } from '../../api/core_v1.js';
import { claimNameOf, whyNotOfPod } from '../../kinds/core/pod/claims.js';
import { PersistentVolumeClaims, Pods } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { SECOND } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context } from '../../runtime/controller.js';
import { newControllerRef } from '../controller-ref-manager.js';
import { controllingPod } from '../pods.js';
import { restUntilRetry } from '../retry-by-events.js';

const FAILED = 'FailedBinding';
const SOURCE = 'ephemeral_volume';
/** Upstream's queue begins with 5 ms, which nobody can see. */
const BACK_OFF = { first: SECOND, longest: 1_000 * SECOND };

/**
 * A pod's generic ephemeral volumes have claims of their own, which go with it. Models
 * pkg/controller/volume/ephemeral/controller.go.
 */
export const controller = defineController<Pod>({
  name: 'ephemeralvolume',
  actor: 'system:serviceaccount:kube-system:ephemeral-volume-controller',
  eventSource: SOURCE,
  for: { kind: Pods, when: (pod, old) => !old && hasEphemeral(pod) },
  watches: [
    watch<PersistentVolumeClaim>({
      kind: PersistentVolumeClaims,
      keys: (claim, read) => (read.get(PersistentVolumeClaims, keyOf(claim)) ? NO_KEYS : controllingPod(claim)),
    }),
  ],
  reconcile(context, key) {
    const pod = context.client.get(Pods, key);
    if (!pod || !hasEphemeral(pod) || pod.metadata.deletionTimestamp) return undefined;
    const rest = restUntilRetry(context, pod, FAILED, BACK_OFF, SOURCE);
    if (rest > 0) return { requeueAfter: rest };
    for (const volume of pod.spec.volumes ?? []) {
      const problem = volume.ephemeral && provideClaim(context, pod, volume);
      if (problem === undefined) continue;
      context.event(pod, 'Warning', FAILED, `ephemeral volume ${volume.name}: ${problem}`);
      return { requeueAfter: restUntilRetry(context, pod, FAILED, BACK_OFF, SOURCE) };
    }
    return undefined;
  },
});

const hasEphemeral = ({ spec }: Pod): boolean =>
  spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) ?? false;

/** Returns why the volume has no claim of its own. */
function provideClaim({ client }: Context, pod: Pod, volume: Volume): string | undefined {
  const { namespace = '' } = pod.metadata;
  const name = claimNameOf(pod, volume)!;
  const known = client.get(PersistentVolumeClaims, { namespace, name });
  if (known) return whyNotOfPod(known, pod);
  const { metadata, spec } = volume.ephemeral!.volumeClaimTemplate!;
  try {
    client.create(PersistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: {
        ...{ name, namespace, ownerReferences: [newControllerRef(Pods, pod)] },
        ...(metadata?.labels ? { labels: metadata.labels } : {}),
        ...(metadata?.annotations ? { annotations: metadata.annotations } : {}),
      },
      spec,
      status: {},
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `create PVC ${name}: ${error.message}`;
  }
}
