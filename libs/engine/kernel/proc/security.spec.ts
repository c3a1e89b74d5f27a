import { expect, test } from '@jest/globals';
import type { ImageFiles } from '../files/file.js';
import { FileTree } from '../files/tree.js';
import type { State } from '../state.js';
import { securityEntry } from './security.js';

const owner = { user: 0, group: 0, modified: 0 };
const folder = { type: 'directory' as const, mode: 0o755, ...owner };
const file = (content: string) => ({ type: 'file' as const, mode: 0o600, ...owner, content });
const FILES: ImageFiles = {
  '/': folder,
  ...Object.fromEntries(
    [
      '/sys',
      '/sys/kernel',
      '/sys/kernel/security',
      '/var',
      '/var/lib',
      '/var/lib/apparmor',
      '/var/lib/apparmor/cache',
    ].map((path) => [path, folder]),
  ),
  '/var/lib/apparmor/cache/few': file('profile few flags=(attach_disconnected,complain) {\n  file,\n}\n'),
  '/var/lib/apparmor/cache/k8s': file('profile "k8s" {\n}\n'),
};
const read = (files: ImageFiles, path: string): string | undefined => {
  const state = { trees: new Map([['disk', new FileTree('disk', files)]]) } as unknown as State;
  const entry = securityEntry(state, path);
  return entry?.type === 'file' ? entry.content() : entry?.type;
};

test('a host tells which profiles are loaded, the last first', () => {
  expect(read(FILES, '/apparmor/profiles')).toBe(
    'k8s (enforce)\nfew (complain)\ncri-containerd.apparmor.d (enforce)\n',
  );
  expect(read(FILES, '')).toBe('directory');
  expect(read(FILES, '/none')).toBeUndefined();
});

test('a container has no securityfs', () => expect(read({ '/': folder }, '')).toBeUndefined());
