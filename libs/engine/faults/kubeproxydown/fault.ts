import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'KubeProxyDown',
  about: 'kube-proxy of a node does nothing.',
  symptoms: 'rules of the node stay those of then: new Services do not answer, old endpoints are still tried',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'proxy', nodes }],
});
