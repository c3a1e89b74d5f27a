import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { LabShell } from './lab-shell.js';

type Host = ConstructorParameters<typeof LabShell>[0];
type Asked = { method: string; path: string; query: string; body?: Buffer; user: { name: string } };

function shellOf(answer: object, session: object = {}): { shell: LabShell; asked: Asked[] } {
  const asked: Asked[] = [];
  const request = async (_id: string, one: Asked): Promise<object> => {
    asked.push(one);
    return answer;
  };
  return { shell: new LabShell({ request, session: () => session } as unknown as Host), asked };
}
const body = (status: number, value: unknown, isBytes = false): object => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { type: 'body', status, body: isBytes ? Buffer.from(text) : text };
};

test.each([false, true])('what the cluster answers is read, as bytes: %j', async (isBytes) => {
  const { shell, asked } = shellOf(body(201, { kind: 'Pod' }, isBytes));
  expect(await shell.call('c', 'POST', '/api/v1/pods', { a: 1 })).toEqual({ kind: 'Pod' });
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/api/v1/pods', query: '' });
  expect(String(asked[0]!.body)).toBe('{"a":1}');
});

test.each<[object, object]>([
  [body(404, { message: 'pods "x" not found' }), { status: 404, message: 'pods "x" not found' }],
  [body(503, {}), { status: 503, message: '{}' }],
  [{ type: 'watch' }, { status: 500, message: '/api is no list' }],
])('%j is refused in its own words', async (answer, refused) => {
  await expect(shellOf(answer).shell.call('c', 'GET', '/api')).rejects.toMatchObject(refused);
});

/** A session that prints, and ends in a while; undefined: never. */
function sessionOf(printed: readonly string[], end?: object): { session: object; closed: () => boolean } {
  let isClosed = false;
  const [stdout, stderr] = [
    Readable.from([Buffer.from(printed[0] ?? '')]),
    Readable.from([Buffer.from(printed[1] ?? '')]),
  ];
  const ended = new Promise((resolve) => {
    if (end) setTimeout(() => resolve(end), 20);
  });
  return { session: { stdout, stderr, end: ended, close: () => (isClosed = true) }, closed: () => isClosed };
}
const OPENED = { type: 'session', status: 101 };

test.each<[string, object | undefined, object]>([
  ['that ends', { type: 'exit', code: 3 }, { code: 3, output: 'out err' }],
  ['that fails', { type: 'error', error: new Error('gone') }, { code: 126, output: 'gone' }],
  ['that does not end', undefined, { code: 124, output: 'out err' }],
])('a script %s', async (_how, end, result) => {
  const { session, closed } = sessionOf(['out ', 'err'], end);
  const { shell, asked } = shellOf(OPENED, { session });
  expect(await shell.run('c', { node: 'cp' }, 'echo $x', 60)).toEqual(result);
  expect(closed()).toBe(true);
  expect(asked[0]!.path).toBe('/api/v1/nodes/cp/shell');
  expect(new URLSearchParams(asked[0]!.query).getAll('command')).toEqual(['bash', '-c', 'echo $x']);
});

test.each<[string, object, object, string]>([
  ['the cluster does not answer', body(503, {}), {}, 'no shell opens: the cluster does not answer'],
  ['the session is refused', OPENED, { failure: { message: 'no such container' } }, 'no such container'],
  ['nothing is said', OPENED, {}, 'no shell opens'],
])('no script runs when %s', async (_why, answer, session, output) => {
  const { shell } = shellOf(answer, session);
  expect(await shell.run('c', { pod: 'shop/web', container: 'c' }, 'true', 60)).toEqual({ code: 126, output });
});

test('of much output the beginning is kept', async () => {
  const { session } = sessionOf(['x'.repeat(100_000)], { type: 'exit', code: 0 });
  const { output } = await shellOf(OPENED, { session }).shell.run('c', { node: 'cp' }, 'yes', 500);
  expect(output).toHaveLength(64 * 1024);
});
