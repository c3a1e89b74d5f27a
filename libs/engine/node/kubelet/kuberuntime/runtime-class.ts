import type { Pod } from '../../../api/core_v1.js';
import { RuntimeClasses } from '../../../kinds/index.js';
import { handlersOf } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { own } from '../../../machinery/meta/object.js';
import { DEFAULT_HANDLERS, SHIM_FOLDERS, shimOf } from '../../host/services/runtime-handlers.js';
import { TreeDisk } from '../../host/files/disk.js';
import { openNodeDisk } from '../volumemanager/node-disk.js';

/** Why a sandbox of a pod cannot be made, given its id: `before` it has a network, or `after`. */
export interface RuntimeFailure {
  readonly before?: (id: string) => string;
  readonly after?: (id: string) => string;
}

const UNKNOWN = 'rpc error: code = Unknown desc = ';

/** The runtime that a pod's RuntimeClass stands for on a node: 'io.containerd.runsc.v1'; undefined: the default. */
export function runtimeOf(read: Reader, { spec }: Pod, node: string): string | undefined {
  if (!spec.runtimeClassName) return undefined;
  const found = read.get(RuntimeClasses, { namespace: '', name: spec.runtimeClassName });
  return found && own(handlersOf(read, node) ?? DEFAULT_HANDLERS, found.handler);
}

/**
 * Why the runtime of a pod's RuntimeClass does not make its sandbox; undefined: it does. Models
 * pkg/kubelet/runtimeclass/runtimeclass_manager.go and containerd's internal/cri/server/sandbox_run.go.
 */
export function findRuntimeFailure(read: Reader, { spec }: Pod, node: string): RuntimeFailure | undefined {
  const { runtimeClassName } = spec;
  if (!runtimeClassName) return undefined;
  const found = read.get(RuntimeClasses, { namespace: '', name: runtimeClassName });
  if (!found) return { before: () => `runtimeclass.node.k8s.io ${JSON.stringify(runtimeClassName)} not found` };
  const runtime = own(handlersOf(read, node) ?? DEFAULT_HANDLERS, found.handler);
  if (runtime === undefined) {
    const why = `no runtime for ${JSON.stringify(found.handler)} is configured`;
    return { before: (id) => `${UNKNOWN}unable to get OCI runtime for sandbox "${id}": ${why}` };
  }
  const problem = findShimProblem(read, node, runtime);
  return problem === undefined
    ? undefined
    : { after: (id) => `${UNKNOWN}failed to start sandbox "${id}": failed to create containerd task: ${problem}` };
}

/** runc's shim comes with containerd. */
const OWN_SHIM = 'io.containerd.runc.v2';

function findShimProblem(read: Reader, node: string, runtime: string): string | undefined {
  if (runtime === OWN_SHIM) return undefined;
  const shim = shimOf(runtime);
  const fail = (why: string): string => `failed to resolve runtime path: ${why}`;
  if (shim === undefined) return fail(`invalid runtime name ${runtime}, correct runtime name should be either format`);
  const disk = new TreeDisk(openNodeDisk(node, read));
  if (SHIM_FOLDERS.some((folder) => disk.has(`${folder}/${shim}`))) return undefined;
  return fail(`runtime ${JSON.stringify(runtime)} binary not installed ${JSON.stringify(shim)}: file does not exist`);
}
