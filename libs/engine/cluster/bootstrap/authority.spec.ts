import { expect, test } from '@jest/globals';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { ConfigMap } from '../../api/core_v1.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { encodedSize } from '../../runtime/state/object-bytes.js';
import type { CheckpointState } from '../state/checkpoint.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { CA_PEM, injectAuthority, withoutAuthority } from './authority.js';

const [mine, other] = [new ClusterKeys('mine'), new ClusterKeys('other')];
const configMap = (data: Record<string, string>): ConfigMap =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-root-ca.crt', namespace: 'default' },
    data,
  }) as const;
/** As cluster-info has it. */
const kubeconfigOf = (pem: string): string =>
  `clusters:\n- cluster:\n    certificate-authority-data: ${encodeBase64(pem)}\n    server: https://cp:6443\n`;
const dataOf = (object: KubeObject): unknown => JSON.parse(JSON.stringify(object)).data;

test.each([
  ['a template’s', { 'ca.crt': CA_PEM, note: 'kept' }, [], { 'ca.crt': mine.authority.pem, note: 'kept' }],
  ['an ancestor’s', { 'ca.crt': other.authority.pem }, [other], { 'ca.crt': mine.authority.pem }],
  ['a stranger’s', { 'ca.crt': other.authority.pem }, [], { 'ca.crt': other.authority.pem }],
  ['a template’s embedded', { kubeconfig: kubeconfigOf(CA_PEM) }, [], { kubeconfig: kubeconfigOf(mine.authority.pem) }],
  [
    'an ancestor’s embedded',
    { kubeconfig: kubeconfigOf(other.authority.pem) },
    [other],
    { kubeconfig: kubeconfigOf(mine.authority.pem) },
  ],
  [
    'a stranger’s embedded',
    { kubeconfig: kubeconfigOf(other.authority.pem) },
    [],
    { kubeconfig: kubeconfigOf(other.authority.pem) },
  ],
])('%s certificate in a ConfigMap becomes the cluster’s own, unless it is nobody’s', (_, data, ancestors, expected) => {
  expect(dataOf(injectAuthority(configMap(data), mine, ancestors))).toEqual(expected);
});

test('a state that another cluster is to begin on has no certificate of this one, and a size that is true', () => {
  const objects = [
    { resource: 'configmaps', object: configMap({ 'ca.crt': mine.authority.pem }) },
    { resource: 'configmaps', object: configMap({ 'ca.crt': 'something else' }) },
    { resource: 'configmaps', object: configMap({ kubeconfig: kubeconfigOf(mine.authority.pem) }) },
    { resource: 'pods', object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: mine.authority.pem } } },
  ];
  const sizeOf = (state: CheckpointState): number =>
    state.objects.reduce((sum, one) => sum + encodedSize(one.object), 0);
  const state: CheckpointState = { revision: 1, now: 0, objects };
  const bare = withoutAuthority({ ...state, bytes: sizeOf(state) }, mine.authority.pem);
  expect(bare.objects.map(({ object }) => object)).toEqual([
    configMap({ 'ca.crt': CA_PEM }),
    objects[1]!.object,
    configMap({ kubeconfig: kubeconfigOf(CA_PEM) }),
    objects[3]!.object,
  ]);
  expect(bare.bytes).toBe(sizeOf(bare));
  expect(withoutAuthority(state, mine.authority.pem).bytes).toBeUndefined();
});
