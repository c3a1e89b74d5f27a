import { expect, test } from '@jest/globals';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import { BOOT, exchange, get, logOf, runTo, serverFiles, startServer } from '../testing.js';
import { addressOf, readFlag } from './flags.js';
import { answerGateway } from './gateway.js';
import { newStore } from './store.js';

const files = serverFiles({ '/usr/local/bin/etcd': 'etcd:etcd' });
const ARGV = ['/usr/local/bin/etcd', '--data-dir', '/data', '--listen-client-urls=http://0.0.0.0:2379'];

function serve(root = new FileTree('root', files)): Machine {
  const { machine } = startServer(files, ARGV, { root });
  runTo(machine, BOOT + 2_000);
  return machine;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
function post(machine: Machine, path: string, body: object): any {
  const text = JSON.stringify(body);
  const received = exchange(machine, 2_379, `POST ${path} HTTP/1.0\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
  return JSON.parse(received.split('\r\n\r\n')[1]!);
}
const put = (machine: Machine, key: string, value: string): any =>
  post(machine, '/v3/kv/put', { key: base64(key), value: base64(value) });

test('keeps keys with their revisions, also when it starts again', () => {
  const root = new FileTree('root', files);
  const machine = serve(root);
  expect(get(machine, 2_379, '/health').body).toBe('{"health":"true","reason":""}');
  for (const [key, value] of ['a1', 'b2', 'a3', 'c4']) expect(put(machine, key!, value!).header).toBeDefined();
  const all = post(serve(root), '/v3/kv/range', { key: base64('a'), range_end: base64('c') });
  expect(all).toMatchObject({ header: { revision: '5' }, count: '2' });
  expect(all.kvs).toEqual([
    { key: base64('a'), create_revision: '2', mod_revision: '4', version: '2', value: base64('3') },
    { key: base64('b'), create_revision: '3', mod_revision: '3', version: '1', value: base64('2') },
  ]);
});

test.each([
  ['its version is the one compared', { target: 'MOD', mod_revision: '2' }, true],
  ['it has been written since', { target: 'MOD', mod_revision: '1' }, false],
  ['it is there', { target: 'CREATE', result: 'GREATER', create_revision: '0' }, true],
  ['another value', { target: 'VALUE', value: base64('x') }, false],
])('a transaction: %s', (_name, condition, succeeds) => {
  const machine = serve();
  put(machine, 'a', '1');
  const key = base64('a');
  const answer = post(machine, '/v3/kv/txn', {
    compare: [{ key, ...condition }],
    success: [{ request_delete_range: { key } }],
    failure: [{ request_range: { key } }],
  });
  expect(answer.succeeded === true).toBe(succeeds);
  expect(Object.keys(answer.responses[0])).toEqual([succeeds ? 'response_delete_range' : 'response_range']);
  expect(answer.header.revision).toBe(succeeds ? '3' : '2');
});

test.each([
  ['/v3/kv/put', {}, 3],
  ['/v3/kv/range', { key: 7 }, 3],
  ['/v3/lease/grant', {}, 12],
])('%s refuses %j', (path, body, code) => {
  expect(post(serve(), path, body)).toMatchObject({ code });
});

test('has room for so much', () => {
  const store = newStore();
  const put = (key: string, size: number) => () =>
    answerGateway(store, '/v3/kv/put', JSON.stringify({ key: base64(key), value: base64('x'.repeat(size)) }));
  expect(put('a', 1_600_000)).toThrow('etcdserver: request is too large');
  for (let i = 0; i < 5; i++) put(`a${i}`, 1_500_000)();
  expect(put('a5', 1_500_000)).toThrow('etcdserver: mvcc: database space exceeded');
});

test('ends at a signal, and where it cannot listen', () => {
  const machine = serve();
  expect(logOf(machine, 'stderr')).toContain('"address":":2379"');
  const { machine: other } = startServer(files, [...ARGV, '--listen-client-urls', 'http://9.9.9.9:1']);
  runTo(other, BOOT + 2_000);
  expect(logOf(other, 'stderr')).toContain('bind: cannot assign requested address');
});

test.each([
  ['http://localhost:2379', { address: '127.0.0.1', port: 2_379 }],
  ['http://[::1]:12', { address: '::1', port: 12 }],
  ['http://0.0.0.0', { address: '', port: 2_379 }],
  ['etcd.default:5', { address: 'etcd.default', port: 5 }],
])('addressOf(%j)', (url, expected) => expect(addressOf(url)).toEqual(expected));

test('the last value of a flag counts', () => {
  expect(readFlag(['etcd', '-name', 'a', '--name=b', 'c'], 'name')).toBe('b');
  expect(readFlag(['etcd'], 'name', 'x')).toBe('x');
});
