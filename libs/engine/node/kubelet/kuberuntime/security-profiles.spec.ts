import { expect, test } from '@jest/globals';
import type { SecurityContext } from '../../../api/core_v1.js';
import type { FileNode } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { container, pod } from '../testing.js';
import { findProfileProblem } from './security-profiles.js';

const ROOT = '/var/lib/kubelet/seccomp';
const own = { user: 0, group: 0, modified: 0 };
const directory: FileNode = { ...own, type: 'directory', mode: 0o755 };
const parents = ['/', '/var', '/var/lib', '/var/lib/kubelet', ROOT, `${ROOT}/dir`];
const disk = new FileTree('node/n', {
  ...Object.fromEntries(parents.map((path) => [path, directory])),
  [`${ROOT}/audit.json`]: { ...own, type: 'file', mode: 0o644, content: '{}' },
});

const seccomp = (localhostProfile: string): SecurityContext => ({
  seccompProfile: { type: 'Localhost', localhostProfile },
});
const appArmor = (localhostProfile: string): SecurityContext => ({
  appArmorProfile: { type: 'Localhost', localhostProfile },
});
const cannotLoad = (path: string, why: string): string =>
  `failed to create containerd container: cannot load seccomp profile "${path}": ${why}`;
const MISSING = cannotLoad(`${ROOT}/nope.json`, `open ${ROOT}/nope.json: no such file or directory`);
const NOT_LOADED =
  'failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found k8s-deny';

test.each<[string, SecurityContext, SecurityContext, string | undefined]>([
  ['nothing asked for', {}, {}, undefined],
  ['the default', { seccompProfile: { type: 'RuntimeDefault' } }, {}, undefined],
  ['a seccomp profile that is there', seccomp('audit.json'), {}, undefined],
  ['one that is not', seccomp('nope.json'), {}, MISSING],
  ['a directory', seccomp('dir'), {}, cannotLoad(`${ROOT}/dir`, `read ${ROOT}/dir: is a directory`)],
  ['a privileged container has none', { ...seccomp('nope.json'), privileged: true }, {}, undefined],
  ["the pod's", {}, seccomp('nope.json'), MISSING],
  ["the container's own counts", seccomp('audit.json'), seccomp('nope.json'), undefined],
  ['an AppArmor profile that is not loaded', appArmor('k8s-deny'), {}, NOT_LOADED],
  ["the pod's AppArmor profile", {}, appArmor('k8s-deny'), NOT_LOADED],
  ['the one of containerd', appArmor('cri-containerd.apparmor.d'), {}, undefined],
  ['AppArmor is looked at first', { ...seccomp('nope.json'), ...appArmor('k8s-deny') }, {}, NOT_LOADED],
])('%s', (_, securityContext, shared, problem) => {
  const of = pod({ securityContext: shared as object });
  expect(findProfileProblem(of, container('c', { securityContext }), () => disk)).toBe(problem);
});
