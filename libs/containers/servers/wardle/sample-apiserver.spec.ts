import { expect, test } from '@jest/globals';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import { formatHello, parseHello } from '../../../engine/node/cni/tls.js';
import { containerOf } from '../../../engine/kernel/testing.js';
import { BOOT, exchange, logOf, runTo, serverFiles, startServer } from '../testing.js';

const files = serverFiles({ '/sample-apiserver': 'wardle:sample-apiserver', '/etcd': 'etcd:etcd' });
const ARGV = ['/sample-apiserver', '--etcd-servers=http://127.0.0.1:2379', '--secure-port=8443'];
const PORT = 8_443;

function serve(): Machine {
  const { machine } = startServer(files, ['/etcd']);
  machine.start(containerOf(files, { id: 'c2', argv: ARGV, root: new FileTree('root2', files) }), BOOT);
  runTo(machine, BOOT + 5_000);
  return machine;
}

function send(
  machine: Machine,
  method: string,
  path: string,
  body?: unknown,
  headers = '',
): { status: number; body: any } {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = [`Content-Length: ${text.length}`, 'X-Remote-User: admin', 'Connection: close'];
  const request = `${method} ${path} HTTP/1.1\r\nHost: t\r\n${lines.join('\r\n')}\r\n${headers}\r\n${text}`;
  const received = parseHello(
    exchange(machine, PORT, formatHello({ serverName: '' }) + request, machine.now, 10),
  )!.rest;
  const end = received.indexOf('\r\n\r\n');
  const content = received.slice(end + 4);
  return { status: Number(received.split(' ', 2)[1]), body: content.startsWith('{') ? JSON.parse(content) : content };
}

const FLUNDERS = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders';
const FISCHERS = '/apis/wardle.example.com/v1alpha1/fischers';
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const create = (machine: Machine, name: string, spec: object = {}) =>
  send(machine, 'POST', FLUNDERS, { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Flunder', ...named(name), spec });

test('says of itself what it serves', () => {
  const machine = serve();
  expect(send(machine, 'GET', '/readyz')).toEqual({ status: 200, body: 'ok' });
  const groups = send(machine, 'GET', '/apis').body.groups as { name: string }[];
  expect(groups.map(({ name }) => name)).toEqual(['wardle.example.com']);
  const { resources } = send(machine, 'GET', '/apis/wardle.example.com/v1alpha1').body;
  expect(resources.map((one: any) => [one.name, one.kind, one.namespaced])).toEqual([
    ['fischers', 'Fischer', false],
    ['flunders', 'Flunder', true],
  ]);
  expect(Object.keys(send(machine, 'GET', '/openapi/v3').body.paths)).toContain('apis/wardle.example.com/v1beta1');
});

test('an object is made, read, changed, listed and deleted, and lies in etcd', () => {
  const machine = serve();
  const made = create(machine, 'a');
  expect(made).toMatchObject({ status: 201, body: { kind: 'Flunder', spec: {}, status: {} } });
  expect(create(machine, 'a')).toMatchObject({ status: 409, body: { reason: 'AlreadyExists' } });
  const { resourceVersion, uid } = made.body.metadata;
  expect(send(machine, 'GET', `${FLUNDERS}/a`).body.metadata).toMatchObject({ uid, resourceVersion });
  const merge = 'Content-Type: application/merge-patch+json\r\n';
  const patched = send(machine, 'PATCH', `${FLUNDERS}/a`, { spec: { reference: 'b' } }, merge);
  expect(patched).toMatchObject({ status: 200, body: { spec: { reference: 'b', referenceType: 'Flunder' } } });
  const json = 'Content-Type: application/json-patch+json\r\n';
  const labelled = [{ op: 'add', path: '/metadata/labels', value: { x: 'y' } }];
  expect(send(machine, 'PATCH', `${FLUNDERS}/a`, labelled, json).body.metadata.labels).toEqual({ x: 'y' });
  expect(send(machine, 'PUT', `${FLUNDERS}/a`, made.body)).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
  create(machine, 'b');
  const names = (query: string) =>
    send(machine, 'GET', FLUNDERS + query).body.items.map((one: any) => one.metadata.name);
  expect([names(''), names('?labelSelector=x%3Dy'), names('?fieldSelector=metadata.name%3Db')]).toEqual([
    ['a', 'b'],
    ['a'],
    ['b'],
  ]);
  const keys = JSON.stringify({ key: 'Lw==', range_end: 'AA==', keys_only: true });
  const kept = exchange(machine, 2_379, `POST /v3/kv/range HTTP/1.0\r\nContent-Length: ${keys.length}\r\n\r\n${keys}`);
  const { kvs } = JSON.parse(kept.split('\r\n\r\n')[1]!) as { kvs: { key: string }[] };
  const key = '/registry/wardle.example.com/wardle.example.com/flunders/default/a';
  expect(Buffer.from(kvs[0]!.key, 'base64').toString()).toBe(key);
  expect(send(machine, 'DELETE', `${FLUNDERS}/a`)).toMatchObject({ status: 200, body: { status: 'Success' } });
  expect(send(machine, 'GET', `${FLUNDERS}/a`)).toMatchObject({
    status: 404,
    body: { message: 'flunders.wardle.example.com "a" not found' },
  });
  create(machine, 'c');
  expect(send(machine, 'DELETE', FLUNDERS).status).toBe(200);
  expect(names('')).toEqual([]);
});

test('a flunder of one version is one of the other', () => {
  const machine = serve();
  create(machine, 'a', { reference: 'f', referenceType: 'Fischer' });
  const beta = FLUNDERS.replace('v1alpha1', 'v1beta1');
  expect(send(machine, 'GET', `${beta}/a`).body).toMatchObject({
    apiVersion: 'wardle.example.com/v1beta1',
    spec: { fischerReference: 'f', referenceType: 'Fischer' },
  });
});

test.each([
  [{ flunderReference: 'x', fischerReference: 'y' }, 'cannot be set with flunderReference at the same time'],
  [{ flunderReference: 'x' }, 'cannot be set if referenceType is not Flunder'],
  [{ referenceType: 'Fischer' }, 'cannot be empty if referenceType is Fischer'],
  [{ referenceType: 'Other' }, 'must be Flunder or Fischer'],
  [{ fischerReference: 'y', referenceType: 'Fischer' }, undefined],
])('of v1beta1 %j: %s', (spec, why) => {
  const flunder = { apiVersion: 'wardle.example.com/v1beta1', kind: 'Flunder', ...named('b', { spec }) };
  const answer = send(serve(), 'POST', FLUNDERS.replace('v1alpha1', 'v1beta1'), flunder);
  if (why === undefined) expect(answer).toMatchObject({ status: 201, body: { spec } });
  else expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining(why) } });
});

test('a fischer bans names', () => {
  const machine = serve();
  const fischer = { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Fischer', ...named('f') };
  expect(send(machine, 'POST', FISCHERS, { ...fischer, disallowedFlunders: ['bad'] }).status).toBe(201);
  expect(create(machine, 'bad')).toMatchObject({
    status: 403,
    body: {
      message:
        'flunders.wardle.example.com "bad" is forbidden: this name may not be used, please change the resource name',
    },
  });
  expect(create(machine, 'good').status).toBe(201);
});

test('a watch tells what changes, also since a revision', () => {
  const machine = serve();
  const { resourceVersion } = create(machine, 'a').body.metadata;
  create(machine, 'b');
  const session = machine.connect(PORT, machine.now);
  const path = `${FLUNDERS}?watch=true&timeoutSeconds=30&resourceVersion=${resourceVersion}`;
  const request = `GET ${path} HTTP/1.1\r\nHost: t\r\nX-Remote-User: admin\r\n\r\n`;
  machine.input(session, formatHello({ serverName: '' }) + request, machine.now);
  runTo(machine, machine.now + 100);
  send(machine, 'DELETE', `${FLUNDERS}/a`);
  send(machine, 'POST', FISCHERS, { apiVersion: 'wardle.example.com/v1alpha1', kind: 'Fischer', ...named('f') });
  runTo(machine, machine.now + 40_000);
  const { stdout, ended } = machine.output(session);
  const events = [...stdout.matchAll(/\{"type":"(\w+)".*?"name":"(\w+)"/g)].map(([, type, name]) => [type, name]);
  expect(events).toEqual([
    ['ADDED', 'b'],
    ['DELETED', 'a'],
  ]);
  expect([ended, stdout.endsWith('0\r\n\r\n')]).toEqual([true, true]);
});

test('who does not come through the aggregator may ask how it is', () => {
  const machine = serve();
  const ask = (path: string, from?: string, headers = '') => {
    const session = machine.connect(PORT, machine.now, '10.244.1.9', from);
    const request = `GET ${path} HTTP/1.0\r\n${headers}\r\n`;
    machine.input(session, formatHello({ serverName: '' }) + request, machine.now);
    runTo(machine, machine.now + 10);
    return machine.output(session).stdout.split('\n')[1]!.split(' ')[1];
  };
  const claim = 'X-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n';
  expect([ask('/livez'), ask('/version'), ask(FLUNDERS)]).toEqual(['200', '200', '403']);
  expect([ask(FLUNDERS, undefined, claim), ask(FLUNDERS, '10.244.1.5', claim)]).toEqual(['200', '403']);
});

test.each([
  [['--secure-port=8443'], 1_000, 'etcd-servers must be specified'],
  [['--etcd-servers=http://127.0.0.1:2379', '--what'], 1_000, 'unknown flag: --what'],
  [['--etcd-servers=http://127.0.0.1:2379', '--tls-cert-file=/no'], 1_000, 'open /no: no such file or directory'],
  [['--etcd-servers=http://127.0.0.1:2379'], 25_000, '"command failed" err="context deadline exceeded"'],
])('it does not start with %j', (flags, after, why) => {
  const { machine } = startServer(files, ['/sample-apiserver', ...flags]);
  runTo(machine, BOOT + after);
  expect(logOf(machine, 'stderr')).toContain(why);
});
