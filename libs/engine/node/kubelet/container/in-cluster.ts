/** Programs in pods that use the cluster's API, as their pod's service account: operators and their jobs. */
import { growingCache } from '../../../machinery/cache.js';
import type { CustomResourceDefinition } from '../../../api/apiextensions_v1.js';
import type { ConfigMap, Pod, Service } from '../../../api/core_v1.js';
import type { Ingress } from '../../../api/networking_v1.js';
import {
  ConfigMaps,
  CustomResourceDefinitions,
  Ingresses,
  MutatingWebhookConfigurations,
  Pods,
  Services,
  ValidatingWebhookConfigurations,
} from '../../../kinds/index.js';
import type { Client, Reader } from '../../../machinery/client.js';
import { keyOf, type Key } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import { watch, type Source } from '../../../runtime/controller.js';
import type { Image, ImageCatalog, LoopTools, Process } from '../../cri/image.js';
import { parseReference } from '../../cri/images/reference.js';
import { wakeSources } from './wakes.js';

const MAX_CACHED_IMAGES = 1_000;

/** The user that a pod's programs write as. */
export const serviceAccountOf = ({ metadata, spec }: Pod): string =>
  `system:serviceaccount:${metadata.namespace}:${spec.serviceAccountName}`;

/** Lets a program that ends write to the API what it was started for. False: the API server refused. */
export function runToCompletion(process: Process, api: Client): boolean {
  return unlessRefused(() => {
    process.acts?.(api);
    return true;
  });
}

/** Lets a running program bring the API to where it keeps it. False: it has to be run again later. */
export function runControlLoop(process: Process, api: Client, tools: LoopTools): boolean {
  return unlessRefused(() => process.tends?.(api, tools) ?? true);
}

function unlessRefused(run: () => boolean): boolean {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** What cluster-proportional-autoscaler goes by, beside nodes: ConfigMaps of its two modes. */
export const PROPORTIONS = 'proportions';

/** A name server's configuration, which it reads again. */
export const COREFILES = 'corefiles';

/** Wakes the pods whose programs run control loops when what they tend changes: most tend webhooks. */
export function inClusterSources(images: ImageCatalog): Source[] {
  const tendsOf = readTends(images);
  const isOperator = ({ spec }: Pod): boolean =>
    spec.nodeName !== undefined && spec.containers.some((c) => tendsOf(c.image ?? '') === true);
  const isWoken = ({ spec }: Pod, wake: string): boolean =>
    spec.containers.some(({ image = '' }) => {
      const tends = tendsOf(image);
      return Array.isArray(tends) && tends.includes(wake);
    });
  const keys = (_object: unknown, reader: Reader): Iterable<Key> => reader.list(Pods).filter(isOperator).map(keyOf);
  return [
    watch({ kind: MutatingWebhookConfigurations, keys }),
    watch({ kind: ValidatingWebhookConfigurations, keys }),
    watch<CustomResourceDefinition>({
      kind: CustomResourceDefinitions,
      when: (crd, old) => crd.spec.conversion?.strategy === 'Webhook' && crd.spec !== old?.spec,
      keys,
    }),
    // What stands before Services says in Ingresses where it is.
    watch<Ingress>({ kind: Ingresses, when: (ingress, old) => ingress.spec !== old?.spec, keys }),
    watch<Service>({
      kind: Services,
      when: (service, old) => old !== undefined && service.status?.loadBalancer !== old.status?.loadBalancer,
      keys,
    }),
    watch<ConfigMap>({
      kind: ConfigMaps,
      when: ({ data }, old) => (data?.['linear'] ?? data?.['ladder']) !== undefined && data !== old?.data,
      keys: (_object, reader) =>
        reader
          .list(Pods)
          .filter((pod) => pod.spec.nodeName !== undefined && isWoken(pod, PROPORTIONS))
          .map(keyOf),
    }),
    watch<ConfigMap>({
      kind: ConfigMaps,
      when: ({ data }, old) => data?.['Corefile'] !== undefined && old !== undefined && data !== old.data,
      keys: ({ metadata }, reader) =>
        reader
          .list(Pods, metadata.namespace)
          .filter((pod) => pod.spec.nodeName !== undefined && isWoken(pod, COREFILES))
          .map(keyOf),
    }),
    ...wakeSources(isWoken),
  ];
}

/** What the programs of an image tend, by its name. */
function readTends(images: ImageCatalog): (image: string) => NonNullable<Image['tends']> {
  const cache = growingCache<NonNullable<Image['tends']>>(MAX_CACHED_IMAGES);
  return (image) => {
    let answer = cache.get(image);
    if (answer === undefined) {
      const reference = parseReference(image);
      const found = reference && images.resolve(reference);
      answer = (found !== undefined && 'image' in found && found.image.tends) || false;
      cache.set(image, answer);
    }
    return answer;
  };
}
