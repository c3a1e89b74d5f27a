import type { Controller } from '../runtime/controller.js';
import type { ImageCatalog } from './cri/image.js';
import { kubelet } from './kubelet/controller.js';
import { nodeSchedulable, nodeStatus } from './node-status.js';

export { makeCatalog } from './cri/catalog.js';
export type { CommandWorld, Image, ImageCatalog, ImageConfig, LogLine, Process, Pullable, Start } from './cri/image.js';
export { parseReference, type Reference } from './cri/reference.js';
export { execIn } from './exec.js';
export { dialPod } from './dial.js';
export { kubeletAnswer } from './kubelet/server.js';
export { podLogs } from './logs.js';
export { nodeTemplate, type NodeTemplate } from './node-template.js';
export { staticPods } from './static-pods.js';

/** What runs on every node. kube-proxy keeps no state: the simulated network reads EndpointSlices directly. */
export const nodeControllers = (images: ImageCatalog): Controller[] => [nodeStatus, nodeSchedulable, kubelet(images)];
