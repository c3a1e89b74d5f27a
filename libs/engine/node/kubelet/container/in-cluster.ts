import type { CustomResourceDefinition } from '../../../api/apiextensions_v1.js';
import type { Pod } from '../../../api/core_v1.js';
import {
  CustomResourceDefinitions,
  MutatingWebhookConfigurations,
  Pods,
  ValidatingWebhookConfigurations,
} from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { SECOND } from '../../../machinery/time/time.js';
import { watch, type Source } from '../../../runtime/controller.js';
import type { ImageCatalog, Process } from '../../cri/image.js';
import { parseReference } from '../../cri/reference.js';
import type { PodSync } from '../pod-workers/sync-pod.js';

const AGAIN = 5 * SECOND;
const MAX_KNOWN = 1_000;

/** Lets a running program keep true what is its own in the API, as its pod's service account. */
export function tend(sync: PodSync, process: Process): void {
  const { context, pod, now } = sync;
  try {
    if (!process.tends!(context.as(`system:serviceaccount:${pod.metadata.namespace}:${pod.spec.serviceAccountName}`)))
      sync.wake(now + AGAIN);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    sync.wake(now + AGAIN);
  }
}

/** Whatever calls webhooks wakes the pods whose programs tend such things. */
export function tendedThings(images: ImageCatalog): Source[] {
  const known = new Map<string, boolean>();
  const tends = (image: string): boolean => {
    let answer = known.get(image);
    if (answer === undefined) {
      if (known.size >= MAX_KNOWN) known.clear();
      const reference = parseReference(image);
      const found = reference && images.resolve(reference);
      known.set(image, (answer = found !== undefined && 'image' in found && found.image.tends === true));
    }
    return answer;
  };
  const isTending = ({ spec }: Pod): boolean =>
    spec.nodeName !== undefined && spec.containers.some((c) => tends(c.image ?? ''));
  const keys = (_object: unknown, reader: Reader): Iterable<Key> => reader.list(Pods).filter(isTending).map(keyOf);
  return [
    watch({ kind: MutatingWebhookConfigurations, keys }),
    watch({ kind: ValidatingWebhookConfigurations, keys }),
    watch<CustomResourceDefinition>({
      kind: CustomResourceDefinitions,
      when: (crd, old) => crd.spec.conversion?.strategy === 'Webhook' && crd.spec !== old?.spec,
      keys,
    }),
  ];
}
