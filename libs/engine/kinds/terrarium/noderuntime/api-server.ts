import type { Reader } from '../../../machinery/client.js';
import { kind as Nodes } from '../../core/node/kind.js';
import type { ApiServerConfiguration } from './api-server-configuration.js';
import { kind as NodeRuntimes } from './kind.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Whether the API server of a control plane node answers: it and its etcd have come up. */
export const servesApi = (read: Reader, node: string): boolean => {
  const broken = read.get(NodeRuntimes, { namespace: '', name: node })?.broken ?? {};
  return broken['kube-apiserver'] === undefined && broken['etcd'] === undefined;
};

/** Whether no control plane node has an API server that answers: nobody reads or writes objects by it. */
export function isApiServerDown(read: Reader): boolean {
  const down = read.list(NodeRuntimes).filter(({ metadata: { name = '' } }) => !servesApi(read, name));
  if (down.length === 0) return false;
  return (
    down.length >= read.list(Nodes).filter(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined).length
  );
}

/** What the API server that answers has read beyond what kubeadm writes; undefined: nobody has changed it. */
export function apiServerOf(read: Reader): ApiServerConfiguration | undefined {
  for (const { metadata, apiServer } of read.list(NodeRuntimes))
    if (apiServer && servesApi(read, metadata.name ?? '')) return apiServer;
  return undefined;
}
