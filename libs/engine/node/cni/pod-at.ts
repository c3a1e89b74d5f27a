import type { Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';

/** The pod at an address of the pods' network. */
export const podAt = (read: Reader, ip: string): Pod | undefined =>
  read.list(Pods).find((p) => p.status.podIP === ip && !p.spec.hostNetwork && isRunning(p));

const isRunning = ({ status }: Pod): boolean => status.phase !== 'Succeeded' && status.phase !== 'Failed';
