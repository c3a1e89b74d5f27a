import { describe, expect, test } from '@jest/globals';
import { parseReference } from '@terrarium/engine';
import { FileTree } from '../../engine/kernel/files/tree.js';
import { Machine } from '../../engine/kernel/machine.js';
import { BOOT, containerOf } from '../../engine/kernel/testing.js';
import { catalog } from '../index.js';
import { images } from './index.generated.js';

function imageOf(name: string) {
  const found = catalog.resolve(parseReference(name)!);
  if ('error' in found) throw new Error(found.error);
  return found.image;
}

/** What a command in a container of the image prints, or why it cannot be started. */
function run(name: string, ...argv: string[]): string {
  const files = imageOf(name).files!;
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: catalog.programs! });
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...imageOf(name).config.env };
  try {
    machine.start(containerOf(files, { argv, env, root: new FileTree('root', files) }), BOOT);
  } catch (error) {
    return (error as Error).message;
  }
  while (!machine.run(BOOT + 10_000));
  expect(machine.faults).toEqual([]);
  return machine
    .container('c1')
    .logs.map(({ text }) => text)
    .join('\n');
}

test.each(images.flatMap((image) => image.repositories.map((repository) => ({ repository, image }))))(
  'the files of $repository are known',
  ({ image }) => expect(image.files).toBeDefined(),
);

test.each([
  [false, 0],
  [true, 1000],
])('a set-user-ID program, noNewPrivileges %s: user %d', (noNewPrivileges, user) => {
  const { files } = imageOf('registry.k8s.io/e2e-test-images/nonewprivs:1.4');
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: catalog.programs! });
  const root = new FileTree('root', files!);
  const env = { PATH: '/usr/local/bin:/bin' };
  machine.start(containerOf(files!, { argv: ['sh', '-c', 'nnp'], env, root, user: 1000, noNewPrivileges }), BOOT);
  while (!machine.run(BOOT + 1_000));
  expect(machine.container('c1').logs.map(({ text }) => text)).toEqual([`Effective uid: ${user}`]);
});

describe('commands inside', () => {
  test.each([
    ['nginx', ['cat', '/etc/nginx/conf.d/default.conf'], /listen {7}80;\n.*server_name {2}localhost/s],
    [
      'nginx',
      ['head', '-4', '/usr/share/nginx/html/index.html'],
      /^<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!/,
    ],
    ['nginx:1.27-alpine', ['cat', '/etc/os-release'], /^NAME="Alpine Linux"/],
    ['nginx', ['sh', '-c', 'echo $0; . /etc/os-release; echo $ID'], /^sh\ndebian$/],
    ['httpd', ['cat', '/usr/local/apache2/htdocs/index.html'], /^<html><body><h1>It works!/],
    ['redis', ['ls', '-ld', '/data'], /^drwxr-xr-x 2 redis redis/],
    ['mysql', ['ls', '/docker-entrypoint-initdb.d'], /^$/],
    ['postgres:16', ['id', 'postgres'], /^uid=999\(postgres\) gid=999\(postgres\)/],
    ['registry.k8s.io/e2e-test-images/kitten:1.8', ['grep', 'NAME=', '/etc/os-release'], /Alpine Linux/],
    ['registry.k8s.io/e2e-test-images/nonewprivs:1.4', ['nnp'], /^Effective uid: 0$/],
    ['nicolaka/netshoot', ['sh', '-c', 'ping -c1 127.0.0.1 | head -1'], /56\(84\) bytes of data/],
    ['nicolaka/netshoot', ['sh', '-c', 'tcpdump --version 2>&1'], /^tcpdump version 4/],
    ['nicolaka/netshoot', ['sh', '-c', 'tcptraceroute web 2>&1; echo $?'], /is not simulated here\n1$/],
    ['busybox', ['ls', '/'], /^bin\ndev\netc\nhome\n/],
    ['alpine:3.20', ['cat', '/etc/alpine-release'], /^3\.20\.0$/],
    ['ubuntu:22.04', ['sh', '-c', 'grep ^VERSION_ID /etc/os-release'], /^VERSION_ID="22.04"$/],
    ['debian:11', ['cat', '/etc/debian_version'], /^11\.11$/],
    ['python:3.12-slim', ['bash', '-c', 'echo ${BASH_VERSION%%.*}'], /^5$/],
    ['bash', ['bash', '-c', 'echo $((1 + 1))'], /^2$/],
    ['registry.k8s.io/e2e-test-images/agnhost:2.53', ['/agnhost', 'mounttest', '--file_perm=/uploads'], /-rwxr-xr-x/],
    [
      'registry.k8s.io/e2e-test-images/agnhost:2.53',
      ['/agnhost-2', 'entrypoint-tester'],
      /^\[\/agnhost-2 entrypoint-tester\]$/,
    ],
    ['acme/unknown:1', ['cat', '/etc/debian_version'], /^12\.12$/],
  ])('%s %j', (name, argv, expected) => expect(run(name, ...argv)).toMatch(expected));

  test.each([
    ['registry.k8s.io/coredns/coredns:v1.13.1', 'sh'],
    ['registry.k8s.io/kube-scheduler:v1.36.0', 'ls'],
    ['registry.k8s.io/pause:3.10', 'sh'],
    ['traefik/whoami', 'sh'],
    ['busybox', 'bash'],
    ['busybox', 'curl'],
    ['alpine', 'bash'],
    ['nginx', 'python3'],
  ])('%s has no %s', (name, command) => {
    expect(run(name, command)).toBe(`exec: "${command}": executable file not found in $PATH`);
  });

  test.each([
    ['nginx:1.25.3', 'NGINX_VERSION', '1.25.3'],
    ['nginx:1.27', 'NGINX_VERSION', '1.27.5'],
    ['nginx', 'NGINX_VERSION', '1.29.4'],
    ['redis:7.2', 'REDIS_VERSION', '7.2.12'],
    ['redis:alpine', 'REDIS_VERSION', '8.4.0'],
  ])('%s says its version in %s', (name, variable, version) => {
    expect(imageOf(name).config.env?.[variable]).toBe(version);
  });
});
