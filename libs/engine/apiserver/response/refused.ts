import { isApiServerDown } from '../../kinds/terrarium/noderuntime/api-server.js';
import { Nodes } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import type { ApiRequest, BodyResponse } from '../../machinery/http.js';
import { refusedConnection } from '../../machinery/refused.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const PORT = 6_443;
/** What the service answers itself: its own objects, and the ways to nodes and to their ports. */
const OWN_PATHS = ['/apis/terrarium.dev/', '/terrarium/', '/outside/'];

/** A node's own terminal is entered without an API server. */
const isShellOfNode = (path: string): boolean => path.startsWith('/api/v1/nodes/') && path.endsWith('/shell');

/** The answer while no kube-apiserver runs, or none reaches its etcd; undefined: one does, or none is asked. */
export function refusalOf(read: Reader, { path }: Pick<ApiRequest, 'path'>): BodyResponse | undefined {
  if (!isApiServerDown(read) || OWN_PATHS.some((own) => path.startsWith(own))) return undefined;
  if (isShellOfNode(path)) return undefined;
  const node = read.list(Nodes).find(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined);
  const address = node?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1';
  return refusedConnection(`dial tcp ${address}:${PORT}: connect: connection refused`);
}
