import { activeEffects } from '../../kinds/terrarium/fault/active.js';
import { isApiServerDown } from '../../kinds/terrarium/noderuntime/api-server.js';
import { listHosts } from '../../kinds/terrarium/noderuntime/hosts.js';
import type { Reader } from '../../machinery/client.js';
import type { ApiRequest, BodyResponse } from '../../machinery/requests/http.js';
import { refusedConnection } from '../../machinery/requests/refused.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
const PORT = 6_443;
const EXPIRED = 'certificate has expired or is not yet valid';
/** What the service answers itself: its own objects, and the ways to nodes and to their ports. */
const OWN_PATHS = ['/apis/terrarium.dev/', '/terrarium/', '/outside/'];

/** A node's own terminal is entered without an API server. */
const isShellOfNode = (path: string): boolean => path.startsWith('/api/v1/nodes/') && path.endsWith('/shell');

/** Whether no API server is asked: the service answers. */
export const isOwnPath = (path: string): boolean =>
  OWN_PATHS.some((own) => path.startsWith(own)) || isShellOfNode(path);

/** The answer while no kube-apiserver runs, or none reaches its etcd; undefined: one does, or none is asked. */
export function refusalOf(read: Reader, { path }: Pick<ApiRequest, 'path'>): BodyResponse | undefined {
  const isExpired = activeEffects(read, 'api').some(({ fault }) => fault === 'expired');
  if ((!isExpired && !isApiServerDown(read)) || isOwnPath(path)) return undefined;
  if (isExpired) return refusedConnection(`tls: failed to verify certificate: x509: ${EXPIRED}`);
  const node = listHosts(read).find(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined);
  const address = node?.status.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1';
  return refusedConnection(`dial tcp ${address}:${PORT}: connect: connection refused`);
}
