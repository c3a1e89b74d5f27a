import { describe, expect, test } from '@jest/globals';
import type { ImageFiles } from '../../engine/kernel/files/file.js';
import { programs } from '../programs/index.js';
import {
  alpineLayer,
  busyboxLayer,
  debianLayer,
  debianPackages,
  distrolessLayer,
  scratchLayer,
  ubuntuLayer,
} from './index.js';

const layers: readonly (readonly [string, ImageFiles])[] = [
  ['busybox', busyboxLayer],
  ['alpine', alpineLayer()],
  ['debian', debianLayer()],
  ['ubuntu', ubuntuLayer()],
  ['distroless', distrolessLayer],
  ['scratch', scratchLayer],
];

test.each(layers)('every program of %s exists', (_name, files) => {
  const missing = Object.values(files).flatMap(({ program }) =>
    program === undefined || programs.find(program) ? [] : [program],
  );
  expect(missing).toEqual([]);
});

test.each(layers)('%s has no path with a slash at its end', (_name, files) => {
  expect(Object.keys(files).filter((path) => !path.startsWith('/') || path.endsWith('/'))).toEqual([]);
});

describe('where programs are', () => {
  test.each<[ImageFiles, string, string | undefined]>([
    [busyboxLayer, '/bin/sh', 'ash'],
    [busyboxLayer, '/bin/wc', 'busybox:wc'],
    [busyboxLayer, '/usr/bin/wc', undefined],
    [alpineLayer(), '/bin/busybox', 'busybox:busybox'],
    [debianLayer(), '/usr/bin/sh', 'dash'],
    [debianLayer(), '/usr/bin/bash', 'bash'],
    [debianLayer(), '/usr/bin/ls', 'coreutils:ls'],
    [debianLayer(), '/usr/bin/curl', undefined],
    [debianLayer(), '/usr/bin/xxd', undefined],
    [debianPackages('xxd'), '/usr/bin/xxd', 'xxd:xxd'],
    [distrolessLayer, '/bin/sh', undefined],
  ])('%#: %s', (files, path, program) => expect(files[path]?.program).toBe(program));
});

test('alpine links its applets to busybox', () => {
  expect(alpineLayer()['/usr/bin/wc']).toMatchObject({ type: 'link', target: '/bin/busybox' });
});

test('Debian has one directory of programs', () => {
  expect(debianLayer()['/bin']).toMatchObject({ type: 'link', target: 'usr/bin' });
});

test.each<[ImageFiles, string, string]>([
  [alpineLayer('3.20.3'), '/etc/alpine-release', '3.20.3\n'],
  [debianLayer('12.11'), '/etc/debian_version', '12.11\n'],
  [ubuntuLayer('22.04'), '/etc/debian_version', 'bookworm/sid\n'],
])('%#: %s', (files, path, content) => expect(files[path]?.content).toBe(content));

test('releases say who they are', () => {
  expect(ubuntuLayer('22.04')['/usr/lib/os-release']?.content).toContain('PRETTY_NAME="Ubuntu 22.04.5 LTS"\n');
  expect(debianLayer()['/etc/passwd']?.content).toContain('www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin\n');
});

test('a package that nobody knows is a mistake of an image', () => {
  expect(() => debianPackages('no-such-package')).toThrow('no package no-such-package');
});

test('an interactive bash of Debian and Ubuntu prompts with user, host and directory', () => {
  for (const files of [debianLayer(), ubuntuLayer()])
    expect(files['/etc/bash.bashrc']?.content).toContain("PS1='${debian_chroot:+($debian_chroot)}\\u@\\h:\\w\\$ '");
});
