import type { Reader } from '../../../machinery/client.js';
import { kind as Pods } from '../../core/pod/kind.js';
import type { ApiServerConfiguration } from './api-server-configuration.js';
import { listHosts } from './hosts.js';
import { kind as NodeRuntimes } from './kind.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/**
 * Whether the API server of a control plane node answers: the node has power, it and its etcd have come up, and it has
 * not ended.
 */
export const servesApi = (read: Reader, node: string): boolean => {
  const { broken = {}, fault, shutdown } = read.get(NodeRuntimes, { namespace: '', name: node }) ?? {};
  return (
    fault !== 'off' &&
    shutdown?.isOff !== true &&
    broken['kube-apiserver'] === undefined &&
    broken['etcd'] === undefined &&
    read.byIndex(Pods, ENDED, node).length === 0
  );
};

/** Whether no control plane node has an API server that answers: nobody reads or writes objects by it. */
export function isApiServerDown(read: Reader): boolean {
  // A node has no record while nobody has changed anything on it.
  const isSuspect = read.list(NodeRuntimes).some(({ metadata: { name = '' } }) => !servesApi(read, name));
  if (!isSuspect && !isAnyEnded(read)) return false;
  const planes = controlPlanes(read);
  return planes.length > 0 && planes.every((name) => !servesApi(read, name));
}

const ENDED = 'endedApiServer';
const isAnyEnded = (read: Reader): boolean => read.byIndex(Pods, 'anyEndedApiServer', '').length > 0;

const controlPlanes = (read: Reader): string[] =>
  listHosts(read)
    .filter(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined)
    .map(({ metadata }) => metadata.name ?? '');

/** What the API server that answers has read beyond what kubeadm writes; undefined: nobody has changed it. */
export function apiServerOf(read: Reader): ApiServerConfiguration | undefined {
  for (const { metadata, apiServer } of read.list(NodeRuntimes))
    if (apiServer && servesApi(read, metadata.name ?? '')) return apiServer;
  return undefined;
}
