import { Nodes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { isControlPlane } from '../files/config-files.js';

const NAMES = [
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '10.96.0.1',
];

/** Whom the API server's certificate is for. Models kubeadm's app/util/pkiutil GetAPIServerAltNames. */
export const apiServerNames = (read: Reader): string[] => [
  ...NAMES,
  ...read
    .list(Nodes)
    .filter(isControlPlane)
    .flatMap((node) => [node.metadata.name ?? '', internalIPOf(node) ?? '']),
  'localhost',
  '127.0.0.1',
];
