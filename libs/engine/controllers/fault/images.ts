import type { Container, Pod } from '../../api/core_v1.js';
import type { ImageEffect } from '../../faults/effect.js';
import { Pods } from '../../kinds/index.js';
import { keyOfName } from './evict.js';
import type { Context } from '../../runtime/controller.js';

/** The longest name that an annotation may have. */
const MAX_NAME = 63;

type Annotations = Readonly<Record<string, string>>;

/** Containers get the image, annotations keep what they had. Models chaos-mesh/…/podchaos/podfailure's Apply. */
export function replaceImages({ client }: Context, { pods, image, experiment }: ImageEffect): void {
  for (const pod of podsOf(client, pods)) {
    const kept: Record<string, string> = {};
    const replace = (container: Container, isInit: boolean): Container => {
      const key = annotationFor(experiment, container.name, isInit);
      if (pod.metadata.annotations?.[key] !== undefined) return container;
      kept[key] = container.image ?? '';
      return { ...container, image };
    };
    const spec = mapContainers(pod, replace);
    client.update(Pods, withAnnotations({ ...pod, spec }, { ...pod.metadata.annotations, ...kept }));
  }
}

/** Models the same controller's Recover. */
export function restoreImages({ client }: Context, { pods, experiment }: ImageEffect): void {
  for (const pod of podsOf(client, pods)) {
    const left: Record<string, string> = { ...pod.metadata.annotations };
    const restore = (container: Container, isInit: boolean): Container => {
      const key = annotationFor(experiment, container.name, isInit);
      const before = left[key];
      delete left[key];
      return before === undefined ? container : { ...container, image: before };
    };
    const spec = mapContainers(pod, restore);
    client.update(Pods, withAnnotations({ ...pod, spec }, left));
  }
}

const podsOf = (client: Context['client'], names: readonly string[]): Pod[] =>
  names.map((name) => client.get(Pods, keyOfName(name))).filter((pod) => pod !== undefined);

/** Models chaos-mesh/pkg/annotation's GenKeyForImage. */
function annotationFor(experiment: string, container: string, isInit: boolean): string {
  const name = `${container}-${isInit ? 'init' : 'normal'}`;
  const key = `chaos-mesh-${experiment}-pod-failure-${name}-image`;
  return key.length > MAX_NAME ? name : key;
}

const mapContainers = ({ spec }: Pod, change: (container: Container, isInit: boolean) => Container): Pod['spec'] => ({
  ...spec,
  containers: spec.containers.map((container) => change(container, false)),
  ...(spec.initContainers ? { initContainers: spec.initContainers.map((container) => change(container, true)) } : {}),
});

function withAnnotations(pod: Pod, annotations: Annotations): Pod {
  const { annotations: _before, ...metadata } = pod.metadata;
  const isEmpty = Object.keys(annotations).length === 0;
  return { ...pod, metadata: isEmpty ? metadata : { ...metadata, annotations } };
}
