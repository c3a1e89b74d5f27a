import { expect, test } from '@jest/globals';
import { initDone, joinCommands } from './init-words.js';

const commands = joinCommands('172.18.0.2:6443', { token: 'abcdef.0123456789abcdef' }, 'PEM');

test('nodes join by a token and the pin of the authority', () => {
  expect(commands.worker).toMatch(
    /^kubeadm join 172\.18\.0\.2:6443 --token abcdef\.0123456789abcdef \\\n\t--discovery-token-ca-cert-hash sha256:[0-9a-f]{64} $/,
  );
  expect(commands.controlPlane).toMatch(/\\\n\t--control-plane $/);
  const uploaded = joinCommands('172.18.0.2:6443', { token: 'abcdef.0123456789abcdef', key: '0a' }, 'PEM');
  expect(uploaded.worker).toBe(commands.worker);
  expect(uploaded.controlPlane).toBe(`${commands.controlPlane}--certificate-key 0a`);
});

test.each([
  [false, false, []],
  [true, false, ['by copying certificate authorities', '--control-plane']],
  [true, true, ['running the following command on each', 'uploaded-certs will be deleted in two hours']],
])('with a shared endpoint: %s, certificates uploaded: %s', (isShared, isUploaded, expected) => {
  const text = initDone(commands, isShared, isUploaded);
  expect(text).toMatch(/^\nYour Kubernetes control-plane has initialized successfully!\n/);
  expect(text).toContain('Then you can join any number of worker nodes');
  for (const part of expected) expect(text).toContain(part);
  expect(text.includes('--control-plane')).toBe(isShared);
});
