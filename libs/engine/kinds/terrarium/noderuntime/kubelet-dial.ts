import type { Node } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { kind as NodeRuntimes, type NodeRuntime } from './kind.js';

const PORT = 10_250;
/** The name in the API server's own certificate, as kubeadm makes it. */
const API_SERVER = 'kube-apiserver-kubelet-client';

/** '172.18.0.3:10250': where a node's kubelet listens. */
export const kubeletAddress = ({ status }: Node): string =>
  `${status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? ''}:${PORT}`;

/**
 * What the API server's dialer says of a kubelet that it does not reach; undefined: it does. A host without power does
 * not answer who has its address, what a partition loses is waited for, a host whose kubelet has ended refuses, and a
 * kubelet without a certificate ends the handshake.
 */
export function kubeletDialError(read: Reader, node: Node): string | undefined {
  const found = read.get(NodeRuntimes, { namespace: '', name: node.metadata.name ?? '' });
  const error = found && whyUnreachable(found);
  if (error !== undefined) return `dial tcp ${kubeletAddress(node)}: ${error}`;
  return found && lacksCertificate(found) ? 'remote error: tls: internal error' : undefined;
}

/** It waits for the certificate that it has asked for. */
const lacksCertificate = ({ configuration, serving }: NodeRuntime): boolean =>
  configuration?.serverTLSBootstrap === true && !serving?.certificate;

function whyUnreachable({ fault, shutdown, kubelet }: NodeRuntime): string | undefined {
  if (fault === 'off' || shutdown?.isOff) return 'connect: no route to host';
  if (fault === 'cut' && !isUnauthorized(kubelet)) return 'i/o timeout';
  return kubelet.state === 'stopped' || kubelet.state === 'failing' ? 'connect: connection refused' : undefined;
}

/** Its own certificate has expired: it is there, and nobody believes who it is. */
const isUnauthorized = ({ message }: NodeRuntime['kubelet']): boolean => message === 'Unauthorized';

/**
 * What a kubelet answers that cannot ask the API server whether somebody may do something, because its own certificate
 * has expired; undefined: it can. Models pkg/kubelet/server/server.go InstallAuthFilter.
 */
export function kubeletRefusal(read: Reader, nodeName: string | undefined, verb: 'get' | 'create'): string | undefined {
  const found = read.get(NodeRuntimes, { namespace: '', name: nodeName ?? '' });
  if (!found || !isUnauthorized(found.kubelet)) return undefined;
  return `Authorization error (user=${API_SERVER}, verb=${verb}, resource=nodes, subresource=proxy)`;
}

/** Whether a kubelet runs that has no container runtime: what it asks of one fails. */
export function isRuntimeDown(read: Reader, nodeName = ''): boolean {
  const found = read.get(NodeRuntimes, { namespace: '', name: nodeName });
  return found !== undefined && found.kubelet.state === 'running' && found.containerd.state !== 'running';
}
