import type { Pod } from '../../api/core_v1.js';

export const METRICS_GROUP = 'metrics.k8s.io';
export const METRICS_VERSION = 'v1beta1';

/** 'registry.k8s.io/metrics-server/metrics-server', and what distributions make of it. */
const IMAGE = /(?:^|\/)(?:mirrored-)?metrics-server(?:-amd64)?$/;

export const isMetricsServer = ({ spec }: Pod): boolean =>
  spec.containers.some(({ image }) => image !== undefined && IMAGE.test(imageName(image)));

/** An image without tag and digest. */
export function imageName(image: string): string {
  const [name = ''] = image.split('@', 1);
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}
