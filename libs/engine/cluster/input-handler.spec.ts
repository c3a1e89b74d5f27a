import { beforeEach, describe, expect, test } from '@jest/globals';
import { UnfinishedWork } from '../machinery/unfinished.js';
import { ApiError } from '../machinery/meta/status.js';
import type { Server } from '../apiserver/index.js';
import { TestServer } from '../apiserver/testing.js';
import { InputHandler } from './input-handler.js';
import { OutsideCalls } from './outside-calls.js';

const TARGET = { namespace: 'default', pod: 'web', uid: 'u1' };
const SESSION = { namespace: 'default', pod: 'web', uid: 'u1', id: 's1' } as unknown as Parameters<
  InputHandler['readSession']
>[0];
const POSITION = { stdoutFrom: 3, stderrFrom: 0 };

let sessions: Record<'read' | 'input' | 'openPort', () => never>;
let handler: InputHandler;

beforeEach(() => {
  const fail = (): never => {
    throw new UnfinishedWork();
  };
  sessions = { read: fail, input: fail, openPort: fail };
  const server: Server = { ...new TestServer().server, sessions: sessions as unknown as Server['sessions'] };
  const dialPod = (): { error: string } => ({ error: 'refused' });
  handler = new InputHandler({ server, writer: { stream: 0 }, outsideCalls: new OutsideCalls(), dialPod });
});

describe('work that is not finished', () => {
  test('is to be sent again, as input', () =>
    expect(handler.handleSession({ type: 'input', session: SESSION, input: {} })).toEqual({ type: 'unfinished' }));
  test('is read again at once, from where it was', () =>
    expect(handler.readSession(SESSION, POSITION, 7)).toEqual({ stdout: '', stderr: '', ...POSITION, wakeAt: 7 }));
});

test('other errors are not hidden', () => {
  sessions.read = () => {
    throw new ApiError(400, 'BadRequest', 'no');
  };
  expect(() => handler.readSession(SESSION, POSITION, 7)).toThrow('no');
});

test('a pod that is gone has no ports, and answers nobody', () => {
  const opened = handler.handleSession({ type: 'openPort', target: TARGET, port: 80 });
  expect(opened).toMatchObject({ type: 'port', opened: { failure: { code: 404 } } });
  const request = { method: 'GET', path: '/', headers: {}, port: 80 } as never;
  expect(handler.handleSession({ type: 'dial', target: TARGET, request })).toEqual({
    type: 'dialed',
    answer: { error: 'EOF' },
  });
});
