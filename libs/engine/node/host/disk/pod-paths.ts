import type { Pod } from '../../../api/core_v1.js';

export const LOG_FOLDER = '/var/log/pods';
/** Of a static pod: its kubelet knows it by this alone. */
const HASH = 'kubernetes.io/config.hash';

/** The UID by which a pod's kubelet knows it. */
export const uidOf = ({ metadata: { uid = '', annotations } }: Pod): string => annotations?.[HASH] ?? uid;

/** Where the kubelet has the logs of a pod. Models BuildPodLogsDirectory. */
export const logFolderOf = (pod: Pod): string =>
  `${LOG_FOLDER}/${pod.metadata.namespace ?? ''}_${pod.metadata.name ?? ''}_${uidOf(pod)}`;
