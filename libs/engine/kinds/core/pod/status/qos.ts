import type { Container, PodSpec } from '../../../../api/core_v1.js';
import { compareQuantity, isQuantity, milliValue } from '../../../../machinery/quantity/quantity.js';

const QOS_RESOURCES = ['cpu', 'memory'] as const;

/** 'Guaranteed', 'Burstable' or 'BestEffort'. Models pkg/apis/core/v1/helper/qos. */
export function qosClass(spec: PodSpec): string {
  const containers = spec.initContainers?.length ? [...spec.containers, ...spec.initContainers] : spec.containers;
  if (spec.resources) return classOf([{ resources: spec.resources }]);
  return classOf(containers);
}

function classOf(containers: readonly Pick<Container, 'resources'>[]): string {
  let bestEffort = true;
  let guaranteed = true;
  for (const { resources } of containers) {
    for (const name of QOS_RESOURCES) {
      const [request, limit] = [positive(resources?.requests?.[name]), positive(resources?.limits?.[name])];
      if (request ?? limit) bestEffort = false;
      if (limit === undefined || (request !== undefined && request !== limit && compareQuantity(request, limit) !== 0))
        guaranteed = false;
    }
  }
  return bestEffort ? 'BestEffort' : guaranteed ? 'Guaranteed' : 'Burstable';
}

const positive = (quantity: string | undefined): string | undefined =>
  quantity !== undefined && isQuantity(quantity) && milliValue(quantity) > 0 ? quantity : undefined;
