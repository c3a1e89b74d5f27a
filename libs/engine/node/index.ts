import type { Controller } from '../runtime/controller.js';
import type { ImageCatalog } from './cri/image.js';
import type { Machines } from './cri/machines.js';
import { nodeSandboxes } from './cri/sandboxes/controller.js';
import { expandVolume } from './csi/expand-volume.js';
import { volumeFiles } from './csi/volume-files.js';
import { nodeHost } from './host/controller.js';
import type { ClusterBootstrap } from './host/packages/cluster-bootstrap.js';
import { nodeShells } from './host/shell/controller.js';
import { evictionManager } from './kubelet/eviction/controller.js';
import { kubelet } from './kubelet/kubelet.js';
import { nodeShutdown } from './kubelet/nodeshutdown/controller.js';
import { nodeSchedulable, nodeStatus } from './kubelet/nodestatus/node-status.js';
import { proxy } from './proxy/controller.js';

export { makeCatalog } from './cri/images/catalog.js';
export type { Image, ImageCatalog, ImageConfig, LogLine, Process, Pullable, Start } from './cri/image.js';
export { parseReference, type Reference } from './cri/images/reference.js';
export { Machines } from './cri/machines.js';
export { enterCluster } from './enter.js';
export { serveRuntime } from './cri/service/runtime-service.js';
export { podNameOf } from './cri/records/machine-record.js';
export { PodSessions } from './kubelet/server/sessions.js';
export { dialPod } from './dial.js';
export { keepLogged, reachPod } from './reach.js';
export { dialAsApiServer } from './dial-as-api-server.js';
export { serveKubelet } from './kubelet/server/server.js';
export { MeasuredUsage } from './metrics/usage-source.js';
export { flowsOf } from './trace/flows.js';
export { tracerOf } from './trace/trace.js';
export type { AddonName, AddonObjects } from './host/packages/apply-addons.js';
export type { ClusterBootstrap } from './host/packages/cluster-bootstrap.js';
export { clusterInfoKubeconfig } from './host/files/config-files.js';
export { readNodeFile } from './host/files/read-node-file.js';
export { onNode, SHELL, shellPod } from './host/shell/node-shell.js';
export { podLogs } from './kubelet/kuberuntime/logs.js';
export { nodeTemplate, type NodeTemplate } from './kubelet/nodestatus/node-template.js';
export { csiNode, nodeLease } from './kubelet/nodestatus/registration.js';
export { staticPods } from './kubelet/pod/static-pods.js';

/** What runs on every node. `bootstrap`: what makes a cluster when somebody asks for it on a node. */
export const nodeControllers = (
  images: ImageCatalog,
  machines: Machines | undefined,
  bootstrap: ClusterBootstrap,
): Controller[] => [
  nodeStatus,
  nodeSchedulable,
  nodeShells(machines),
  nodeHost(images, bootstrap),
  kubelet(images, machines),
  nodeSandboxes(machines),
  evictionManager(machines),
  nodeShutdown,
  proxy,
  volumeFiles,
  expandVolume,
];
