import type { Pod } from '../../../api/core_v1.js';
import { Secrets } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { warningEvent, type PodEvent } from '../events/event.js';

/** Says which of a pod's pull secrets are not there. Models pkg/kubelet/kubelet_pods.go getPullSecretsForPod. */
export function findMissingPullSecrets({ metadata, spec }: Pod, read: Reader): readonly PodEvent[] {
  const { namespace = '' } = metadata;
  const missing = (spec.imagePullSecrets ?? [])
    .map(({ name = '' }) => name)
    .filter((name) => name !== '' && !read.get(Secrets, { namespace, name }));
  if (missing.length === 0) return [];
  const names = missing.join(', ');
  const message = `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`;
  return [warningEvent('FailedToRetrieveImagePullSecret', message)];
}
