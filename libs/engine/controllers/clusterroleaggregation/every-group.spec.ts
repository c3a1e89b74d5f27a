import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { ClusterRoles, CustomResourceDefinitions } from '../../kinds/index.js';

const CRD = {
  group: 'shop.example.com',
  scope: 'Namespaced',
  names: { plural: 'orders', singular: 'order', kind: 'Order', listKind: 'OrderList' },
  versions: [
    {
      ...{ name: 'v1', served: true, storage: true },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ],
};
const groupsOf = (bed: ClusterBed): (readonly string[] | undefined)[] =>
  (bed.get(ClusterRoles, 'learner').rules ?? []).map(({ apiGroups }) => apiGroups);
const rules = [
  { apiGroups: ['apps'], resources: ['*'], verbs: ['get'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
];

test('a role for every group has those of later on, and never ours', () => {
  const bed = new ClusterBed('instant', 1);
  bed.create(ClusterRoles, 'learner', { rules }, { annotations: { 'terrarium.dev/grants': 'every-group' } });
  bed.at(1);
  bed.create(CustomResourceDefinitions, 'orders.shop.example.com', { spec: CRD });
  bed.at(3);
  const [all, core] = groupsOf(bed);
  expect(all).toContain('shop.example.com');
  expect(all).not.toContain('terrarium.dev');
  expect(core).toEqual(['']);
});

test('another role stays as it is', () => {
  const bed = new ClusterBed('instant', 1);
  bed.create(ClusterRoles, 'learner', { rules });
  bed.create(CustomResourceDefinitions, 'orders.shop.example.com', { spec: CRD });
  bed.at(3);
  expect(groupsOf(bed)).toEqual([['apps'], ['']]);
});
