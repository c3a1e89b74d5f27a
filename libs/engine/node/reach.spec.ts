import { expect, test } from '@jest/globals';
import { clientOf, machinesOf, podOf, recordsOf, stateOf, toolImages, toolPod } from './cri/testing.js';
import { NOW } from './kubelet/testing.js';
import { reachPod } from './reach.js';

const request = { scheme: 'http', port: 80, method: 'GET', path: '/x', headers: {}, body: '' } as const;
const later = NOW + 1_000;

const reach = (image: string, own: object = {}) => {
  const state = stateOf(toolPod([{ image, command: image === 'tools' ? ['bind', '80', '0'] : undefined }]));
  const machines = machinesOf(state);
  const parts = { images: toolImages, read: state, machines, client: clientOf(state) };
  return { state, answer: reachPod(podOf(state), { ...request, ...own }, later, parts) };
};

test('a server that is known by its summary answers, and nothing is written', () => {
  const { state, answer } = reach('server');
  expect(answer).toEqual({ status: 200, body: 'you asked for /x' });
  expect(recordsOf(state).machines).toBe(0);
});

test('a program that has not answered yet is waited for: its session is written down', () => {
  const { state, answer } = reach('tools');
  expect(answer).toEqual({ session: expect.objectContaining({ pod: 'web' }), unsent: '' });
  expect(recordsOf(state).machines).toBe(1);
});

test('a port that nobody listens on refuses', () => {
  expect(reach('tools', { port: 81 }).answer).toEqual({
    error: 'dial tcp 10.244.1.2:81: connect: connection refused',
  });
});

test('what a connection does not take at once is sent later', () => {
  const { answer } = reach('tools', { method: 'POST', bytes: 'x'.repeat(1_000_000) });
  expect('session' in answer && answer.unsent.length).toBeGreaterThan(500_000);
});
