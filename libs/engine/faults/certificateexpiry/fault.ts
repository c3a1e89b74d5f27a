import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'CertificateExpiry',
  about: "A certificate has expired: the API server's, or the kubelets' of the nodes.",
  symptoms:
    'x509: certificate has expired or is not yet valid; kubelets: Unauthorized, nodes NotReady, logs and exec: Authorization error',
  selects: 'nodes',
  isOptional: true,
  parameters: {
    of: { type: 'choice', of: ['kubelet', 'apiserver'], default: 'kubelet', about: 'whose certificate' },
  },
  effects: ({ nodes, values, seed }) =>
    values.text('of') === 'kubelet'
      ? [{ does: 'node', nodes, state: 'cut', message: 'Unauthorized' }]
      : [{ does: 'api', fault: 'expired', seed }],
});
