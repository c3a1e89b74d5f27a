import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'EtcdQuorumLoss',
  about: 'Most members of etcd are gone: it has no leader.',
  symptoms:
    'writes: etcdserver: request timed out, then etcdserver: no leader; reads fail too; watches stay open; controllers stand still',
  selects: 'cluster',
  effects: () => [{ does: 'etcd', fault: 'quorum', membersDown: 2 }],
});
