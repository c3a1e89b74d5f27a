import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'EtcdMemberDown',
  about: 'A member of etcd is gone. Where etcd has one member, that is all of it.',
  symptoms:
    'one member: etcd and the API server end, connection refused; two: as EtcdQuorumLoss; three: the others go on',
  selects: 'cluster',
  parameters: { members: { type: 'integer', min: 1, max: 3, default: 1, about: 'of etcd, with the one that is gone' } },
  effects({ values }) {
    const members = values.number('members');
    if (members > 1) return [{ does: 'etcd', fault: members === 3 ? 'member' : 'quorum', membersDown: 1 }];
    return [
      { does: 'component', component: 'etcd', reason: LOST_DATA },
      { does: 'component', component: 'kube-apiserver', reason: LOST_ETCD },
    ];
  },
});

const LOST_DATA =
  '{"level":"fatal","ts":"","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"cannot access data ' +
  'directory: open /var/lib/etcd/.touch: input/output error"}';
const LOST_ETCD = 'F instance.go:233] Error creating leases: error creating storage factory: context deadline exceeded';
