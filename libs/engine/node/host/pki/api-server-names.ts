import { listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../../../machinery/client.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { isControlPlane } from '../files/config-files.js';
import { Credentials } from './credentials.js';
import type { NodeIssuer } from './issuer.js';
import { leavesOf } from './leaves.js';

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
  ...listHosts(read)
    .filter(isControlPlane)
    .flatMap((node) => [node.metadata.name ?? '', internalIPOf(node) ?? '']),
  'localhost',
  '127.0.0.1',
];

/**
 * What the API server shows in a handshake, PEM: its certificate, as kubeadm has made it on the first control plane,
 * and the authority's.
 */
export function apiServerChain(read: Reader, issuer: NodeIssuer, authority: string): string[] {
  const node = listHosts(read).find(isControlPlane);
  const leaf = node && leavesOf(node).find(({ name }) => name === 'apiserver');
  if (!leaf) return [authority];
  const madeAt = parseTimestamp(node.metadata.creationTimestamp ?? '');
  return [new Credentials(node, madeAt, issuer).leaf(leaf).certificate, authority];
}
