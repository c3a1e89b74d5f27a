import { expect, test } from '@jest/globals';
import { kind as Requests } from '../../kinds/certificates/certificatesigningrequest/kind.js';
import { kind as ClusterRoles } from '../../kinds/rbac/clusterrole/kind.js';
import { kind as ClusterRoleBindings } from '../../kinds/rbac/clusterrolebinding/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ADMIN, ANN, createRequest, objectOf, refusalOf, type RequestFields } from '../testing.js';
import { plugin } from './plugin.js';

const CSR = objectOf(Requests, { spec: { signerName: 'example.com/serving' } });
/** A role for ann on signers. */
const granted = (verb: string, signer: string): KubeObject[] => [
  objectOf(ClusterRoles, {
    metadata: { name: 'r' },
    rules: [{ verbs: [verb], apiGroups: ['certificates.k8s.io'], resources: ['signers'], resourceNames: [signer] }],
  }),
  objectOf(ClusterRoleBindings, {
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: 'ann' }],
  }),
];
const REFUSED =
  'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to approve requests with signerName "example.com/serving"';

test.each<[string, RequestFields, KubeObject[], string | undefined]>([
  ['a user without the right', { user: ANN }, [], REFUSED],
  ['one who may sign', { user: ANN }, granted('sign', 'example.com/serving'), REFUSED],
  ['one who may approve for another signer', { user: ANN }, granted('approve', 'example.com/client'), REFUSED],
  ['one who may approve for the signer', { user: ANN }, granted('approve', 'example.com/serving'), undefined],
  ['one who may approve for its domain', { user: ANN }, granted('approve', 'example.com/*'), undefined],
  ['a superuser', { user: ADMIN }, [], undefined],
  ['a component', { user: ANN, fromOutside: false }, [], undefined],
  ['another subresource', { user: ANN, subresource: 'status' }, [], undefined],
])('the approval by %s', (_, fields, stored, message) =>
  expect(
    refusalOf(plugin, createRequest(Requests, { object: CSR, old: CSR, subresource: 'approval', ...fields }, stored)),
  ).toBe(message),
);
