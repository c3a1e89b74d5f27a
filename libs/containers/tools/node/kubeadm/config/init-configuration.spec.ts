import { expect, test } from '@jest/globals';
import { KubeadmFailure } from '../failure.js';
import { parseInitConfiguration } from './init-configuration.js';

const NOTHING = { certSANs: [], extra: { apiServer: [], controllerManager: [], scheduler: [], etcd: [] } };

test.each([
  ['', NOTHING],
  [
    'kind: ClusterConfiguration\napiServer:\n  certSANs: [lb.example.com, 10.0.0.9]\ncontrolPlaneEndpoint: lb.example.com:6443',
    { ...NOTHING, certSANs: ['lb.example.com', '10.0.0.9'], endpoint: 'lb.example.com:6443' },
  ],
  [
    'kind: InitConfiguration\nlocalAPIEndpoint: {advertiseAddress: 10.0.0.5}\nnodeRegistration: {name: cp}\n---\nkind: ClusterConfiguration\ncertificatesDir: /etc/kubernetes/pki',
    { ...NOTHING, address: '10.0.0.5', name: 'cp', certificatesDir: '/etc/kubernetes/pki' },
  ],
  [
    'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nscheduler:\n  extraArgs:\n  - {name: v, value: "4"}\netcd: {local: {extraArgs: {quota-backend-bytes: 8}}}',
    { ...NOTHING, extra: { ...NOTHING.extra, scheduler: [['v', '4']], etcd: [['quota-backend-bytes', '8']] } },
  ],
  [
    'kind: ClusterConfiguration\nkubernetesVersion: v1.36.3\nnetworking: {podSubnet: 10.244.0.0/16, serviceSubnet: 10.96.0.0/12, dnsDomain: a.b}',
    { ...NOTHING, version: 'v1.36.3', podSubnet: '10.244.0.0/16', serviceSubnet: '10.96.0.0/12', dnsDomain: 'a.b' },
  ],
  [
    'kind: InitConfiguration\nbootstrapTokens: [{token: abcdef.0123456789abcdef}]\nnodeRegistration: {taints: []}',
    { ...NOTHING, token: 'abcdef.0123456789abcdef', taints: [] },
  ],
])('%j', (text, expected) => expect(parseInitConfiguration(text)).toEqual(expected));

test.each([
  ['a: [', 'yaml'],
  ['apiVersion: kubeadm.k8s.io/v1beta2\nkind: ClusterConfiguration', 'old API spec'],
])('%j is refused', (text, why) => {
  expect(() => parseInitConfiguration(text)).toThrow(KubeadmFailure);
  expect(() => parseInitConfiguration(text)).toThrow(why);
});
