import { expect, test } from '@jest/globals';
import { parseReference, type Start } from '@terrarium/engine';
import { catalog } from '../../../index.js';

const startOf = (image: string, argv: string[], fields: Partial<Start> = {}): Start => ({
  ...{ argv, env: {}, at: 0, seed: 's', ends: false, container: { name: 'c', image } },
  pod: { name: 'p', namespace: 'default', ip: '10.244.1.2', node: 'worker-1' },
  files: () => ({}),
  resolves: () => false,
  connects: () => false,
  ...fields,
});

const imageOf = (name: string) => {
  const found = catalog.resolve(parseReference(name)!);
  if (!('image' in found)) throw new Error(found.error);
  return found.image;
};

test.each<[string, string[], 'server' | 'machine']>([
  ['node:20', ['node', '/app/server.js'], 'machine'],
  ['node:20', ['node'], 'machine'],
  ['python:3.12', ['python', 'app.py'], 'machine'],
  ['python:3.12', ['python', '-m', 'flask', 'run'], 'server'],
  ['eclipse-temurin:21', ['java', '-jar', '/app.jar'], 'machine'],
  ['openjdk:17', ['java', 'Main'], 'machine'],
  ['php:8.3-apache', ['apache2-foreground'], 'server'],
  ['golang:1.25', ['go', 'run', 'main.go'], 'machine'],
])('%s %j is a %s', (name, argv, kind) => {
  expect(imageOf(name).start(startOf(name, argv)) === undefined).toBe(kind === 'machine');
});

test.each<[string, Record<string, string>, boolean]>([
  ['of a ConfigMap that has it', { '/app/server.js': '1' }, true],
  ['of a ConfigMap that has another', { '/app/index.js': '1' }, false],
  ['of a claim', {}, true],
])('a file in a volume %s', (_, files, isServer) => {
  const container = { name: 'c', image: 'node:20', volumeMounts: [{ name: 'v', mountPath: '/app' }] };
  const start = startOf('node:20', ['node', '/app/server.js'], { container, files: () => files });
  expect(imageOf('node:20').start(start) !== undefined).toBe(isServer);
});

test('what an image starts by itself is its own', () => {
  expect(imageOf('node:20').config.cmd).toEqual(['node']);
  expect(imageOf('php:8.3').config.cmd).toEqual(['php', '-a']);
  expect(imageOf('php:8.3-fpm').config).toMatchObject({ cmd: ['php-fpm'], exposedPorts: [9000] });
});

test.each([
  ['python:3.12-slim', 'PYTHON_VERSION', '3.12.12'],
  ['python:3', 'PYTHON_VERSION', '3.14.2'],
  ['python:2.7', 'PYTHON_VERSION', '2.7.18'],
  ['node:20-alpine', 'NODE_VERSION', '20.19.6'],
  ['node:22.3.0', 'NODE_VERSION', '22.3.0'],
])('%s says its version', (name, variable, version) => {
  expect(imageOf(name).config.env).toMatchObject({ [variable]: version });
});
