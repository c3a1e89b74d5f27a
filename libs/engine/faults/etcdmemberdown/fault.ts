import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'EtcdMemberDown',
  about: 'A member of etcd is gone. Where etcd has one member, that is all of it.',
  symptoms: 'three members: nothing but etcdctl endpoint health; one: the API server ends, connection refused',
  selects: 'cluster',
  parameters: { members: { type: 'integer', min: 1, max: 3, default: 3, about: 'of etcd, with those that are gone' } },
  effects: ({ values }) => [
    { does: 'etcd', fault: values.number('members') === 3 ? 'member' : 'quorum', membersDown: 1 },
  ],
});
