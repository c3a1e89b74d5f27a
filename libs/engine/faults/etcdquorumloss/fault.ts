import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'EtcdQuorumLoss',
  about: 'Most members of etcd are gone: it has no leader.',
  symptoms:
    'writes, and reads of now: etcdserver: request timed out; /livez and /readyz fail, so that the kubelet restarts the API server; watches stay open; controllers stand still; what becomes of containers is told afterwards',
  selects: 'cluster',
  effects: () => [{ does: 'etcd', fault: 'quorum', membersDown: 2 }],
});
