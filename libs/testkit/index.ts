export { KubeServer } from './kube-server.js';
export { kubectlFolder } from './kubectl.js';
