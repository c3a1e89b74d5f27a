import type { Reader } from '../../../machinery/client.js';
import { kind as Nodes } from '../../core/node/kind.js';
import { kind as NodeRuntimes, servesApi } from './kind.js';

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** Whether no control plane node has an API server that answers: nobody reads or writes objects by it. */
export function isApiServerDown(read: Reader): boolean {
  const down = read.list(NodeRuntimes).filter(({ metadata: { name = '' } }) => !servesApi(read, name));
  if (down.length === 0) return false;
  return (
    down.length >= read.list(Nodes).filter(({ metadata }) => metadata.labels?.[CONTROL_PLANE] !== undefined).length
  );
}
