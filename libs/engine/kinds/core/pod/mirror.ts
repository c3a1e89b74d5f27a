import type { Pod } from '../../../api/core_v1.js';

/** What a kubelet writes into the pod by which it shows a static pod: the hash of the manifest. */
export const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror';

export const isMirrorPod = ({ metadata }: Pick<Pod, 'metadata'>): boolean =>
  metadata.annotations?.[MIRROR_ANNOTATION] !== undefined;
