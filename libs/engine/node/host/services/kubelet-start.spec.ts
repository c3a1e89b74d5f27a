import { expect, test } from '@jest/globals';
import { KUBEADM_FLAGS, KUBELET_CONFIG, KUBELET_KUBECONFIG, parseServer, startKubelet } from './kubelet-start.js';
import { CP, diskOf, edited } from '../testing.js';

const DROP_IN = '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf';
const start = (changes: Readonly<Record<string, string | null>> = {}) =>
  startKubelet(diskOf(CP, changes), (host, port) => host === '172.18.0.2' && port === 6_443);

test('a kubelet starts as kubeadm has set it up', () =>
  expect(start()).toEqual({ manifests: '/etc/kubernetes/manifests' }));

test.each<[string, Record<string, string | null>, string]>([
  ['no configuration', { [KUBELET_CONFIG]: null }, 'open /var/lib/kubelet/config.yaml: no such file or directory'],
  ['no YAML', { [KUBELET_CONFIG]: 'a: [' }, 'error converting YAML to JSON: yaml: line 1'],
  ['no kind', { [KUBELET_CONFIG]: 'a: 1' }, "Object 'Kind' is missing in"],
  [
    'another kind',
    edited(CP, KUBELET_CONFIG, 'KubeletConfiguration', 'KubeletConfig'),
    'no kind "KubeletConfig" is registered for version "kubelet.config.k8s.io/v1beta1"',
  ],
  [
    'a wrong type',
    edited(CP, KUBELET_CONFIG, 'healthzPort: 10248', 'healthzPort: many'),
    'cannot unmarshal string into Go struct field KubeletConfiguration.healthzPort of type int32',
  ],
  [
    'another authority',
    edited(CP, KUBELET_CONFIG, 'pki/ca.crt', 'pki/WRONG.crt'),
    'unable to load client CA file /etc/kubernetes/pki/WRONG.crt: open /etc/kubernetes/pki/WRONG.crt: no such file',
  ],
  ['no kubeconfig', { [KUBELET_KUBECONFIG]: null }, 'unable to load bootstrap kubeconfig: stat /etc/kubernetes/boot'],
  ['no client', { '/var/lib/kubelet/pki/kubelet-client-current.pem': null }, 'unable to read /var/lib/kubelet/pki/'],
  ['another path', edited(CP, DROP_IN, '--config=/var', '--config=/opt'), 'open /opt/lib/kubelet/config.yaml: no such'],
])('%s ends it', (_case, changes, expected) => {
  expect(start(changes).failure).toContain(expected);
  expect(start(changes).isMissing).toBeUndefined();
});

test('another program in the unit is not there', () =>
  expect(start(edited(CP, DROP_IN, 'ExecStart=/usr/bin/kubelet', 'ExecStart=/usr/local/bin/kubelet'))).toEqual({
    isMissing: true,
    failure: "kubelet.service: Unable to locate executable '/usr/local/bin/kubelet': No such file or directory",
    manifests: '',
  }));

test('another server is not reached', () =>
  expect(start(edited(CP, KUBELET_KUBECONFIG, ':6443', ':6553'))).toEqual({
    manifests: '/etc/kubernetes/manifests',
    cut: 'dial tcp 172.18.0.2:6553: connect: connection refused',
  }));

test('without kubeadm’s flags it starts, too', () => expect(start({ [KUBEADM_FLAGS]: null }).failure).toBeUndefined());

const FOLDER = '/etc/kubernetes/kubelet.conf.d';
const DROPPED = 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n';
const EXTRA = { '/etc/default/kubelet': `KUBELET_EXTRA_ARGS="--config-dir=${FOLDER}/"\n` };

test('files of a folder go over its own', () =>
  expect(
    start({
      ...EXTRA,
      [`${FOLDER}/20-b.conf`]: `${DROPPED}maxPods: 30\n`,
      [`${FOLDER}/10-a.conf`]: `${DROPPED}maxPods: 20\nevictionHard: {memory.available: 1Gi}\n`,
      [`${FOLDER}/30-c.yaml`]: `${DROPPED}maxPods: 40\n`,
    }).configuration,
  ).toEqual({ maxPods: 30, evictionHard: { 'memory.available': '1Gi' } }));

test('one of them that is none ends it', () =>
  expect(start({ ...EXTRA, [`${FOLDER}/10-a.conf`]: 'maxPods: 20' }).failure).toBe(
    `"command failed" err="failed to merge kubelet configs: failed to walk through kubelet dropin directory \\"${FOLDER}\\": failed to load kubelet dropin file, path: ${FOLDER}/10-a.conf, error: failed to load Kubelet config file ${FOLDER}/10-a.conf, error Object 'Kind' is missing in '{"maxPods":20}'"`,
  ));

test('another folder of manifests', () =>
  expect(start(edited(CP, KUBELET_CONFIG, 'kubernetes/manifests', 'just-created')).manifests).toBe(
    '/etc/just-created',
  ));

test.each([
  ['https://a:1/x', { host: 'a', port: 1 }],
  ['https://a', { host: 'a', port: 443 }],
  ['http://a:1', undefined],
  ['https://a:b', undefined],
])('the server of %s', (text, expected) => expect(parseServer(text)).toEqual(expected));
