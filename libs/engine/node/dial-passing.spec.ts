/** What dial.ts does with a request that a server passes on. */
import { expect, test } from '@jest/globals';
import type { Pod } from '../api/core_v1.js';
import type { PodHttpAnswer, PodHttpRequest } from '../machinery/http.js';
import type { ImageCatalog, Passing, Process } from './cri/image.js';
import type { Machines } from './cri/machines.js';
import { dialPod, reachPod } from './dial.js';
import { container, NOW, pod, process, readerOf, running } from './kubelet/testing.js';
import type { Reached } from './network/target.js';

type Answer = PodHttpAnswer | { readonly error: string };

/** Passes on to the same port of an address, with its own mark before the answer. */
const before = (mark: string, address: string): Process =>
  process({
    serve: () => ({ status: 500, body: `${mark} itself` }),
    pass: (request): Passing => ({
      ...{ address, request: { ...request, path: `${request.path}${mark}` } },
      finish: (answer) => ({ ...answer, body: `${mark}(${answer.body})` }),
      fail: (why) => ({ status: why === 'refused' ? 502 : 504, body: `${mark}: ${why}` }),
    }),
  });
/** What runs in the pod of each name. */
const PROCESSES: Readonly<Record<string, Process>> = {
  web: process({ serve: ({ path, port }) => ({ status: 200, body: `web ${port}${path}` }) }),
  deaf: process({ listens: [81] }),
  slow: process({ serve: () => ({ status: 200, body: 'slow', delayMs: 10 }) }),
  door: before('a', 'web'),
  outer: before('b', 'door'),
  circle: before('c', 'circle'),
  'to-deaf': before('d', 'deaf'),
  'to-refused': before('e', 'refused'),
  'to-lost': before('f', 'lost'),
  'to-node': before('g', 'node'),
  'to-slow': before('h', 'slow'),
  'to-failing': before('i', 'to-lost'),
  page: process({ pass: () => ({ status: 404, body: 'page' }) }),
  silent: process({ serve: () => ({ status: 200, body: 'own' }), pass: () => undefined }),
};
const podOf = (name: string): Pod =>
  pod(
    { containers: [container(name)] },
    { podIP: name, containerStatuses: [running(name)] },
    { ...{ name, uid: name }, namespace: 'shop' },
  );
const ENDS: Readonly<Record<string, Reached>> = {
  refused: { error: 'ECONNREFUSED', after: 0 },
  lost: { error: 'ETIMEDOUT', after: 130_000 },
  node: { node: { metadata: { name: 'worker-1' } } as never, port: 80 },
};
const sent: string[] = [];
const machines = {
  viewOf: (of: Pod) => of,
  processOf: (of: Pod) => PROCESSES[of.metadata.name ?? ''],
  network: {
    send: (_from: unknown, { address, port }: { address: string; port: number }) => ({
      end: ENDS[address] ?? { pod: podOf(address), port },
    }),
  },
  send: (_client: unknown, of: Pod, address: string, { path }: PodHttpRequest): Answer => {
    sent.push(`${of.metadata.name} at ${address}${path}`);
    return { status: 200, body: 'written down' };
  },
} as unknown as Machines;
const request: PodHttpRequest = { scheme: 'http', port: 80, method: 'GET', path: '/', headers: {}, body: '' };
const NONE = undefined as unknown as ImageCatalog;
const tell = (answer: Answer): string => ('error' in answer ? answer.error : `${answer.status} ${answer.body}`);

test.each([
  ['a server that passes nothing on', 'web', '200 web 80/', ['web at web/']],
  ['one before another', 'door', '200 a(web 80/a)', ['web at web/a']],
  ['one before one before another', 'outer', '200 b(a(web 80/ba))', ['web at web/ba']],
  ['one before itself', 'circle', '504 c(c(c(c(c(c: lost)))))', []],
  ['one before a pod that does not listen', 'to-deaf', '502 d: refused', []],
  ['one before an address that refuses', 'to-refused', '502 e: refused', []],
  ['one before an address that is lost', 'to-lost', '504 f: lost', []],
  ['one before a node', 'to-node', '502 g: refused', []],
  ['one before one that fails', 'to-failing', '504 i(f: lost)', []],
  ['one before one that takes its time', 'to-slow', '200 h(slow)', []],
  ['one that answers instead', 'page', '404 page', []],
  ['one that leaves it to its own pages', 'silent', '200 own', ['silent at silent/']],
])('%s', (_case, name, expected, reached) => {
  expect(tell(dialPod(podOf(name), request, NOW, NONE, readerOf(), machines))).toBe(expected);
  sent.length = 0;
  const answer = tell(reachPod(podOf(name), request, NOW, NONE, readerOf(), machines, undefined as never));
  expect(sent).toEqual(reached);
  const isWritten = reached.length > 0;
  expect(answer).toBe(isWritten ? expected.replace(/web 80\/\w*|own/, 'written down') : expected);
});
