import { expect, test } from '@jest/globals';
import type { PodHttpRequest, SessionResponse } from '../../machinery/requests/http.js';
import type { SessionReference, Sessions, TakenInput } from '../../machinery/requests/sessions.js';
import { ApiError } from '../../machinery/meta/status.js';
import { InnerSessions } from './inner-sessions.js';

const session: SessionReference = { namespace: 'shop', pod: 'web', uid: 'u1', id: '7' };
const typist = {
  user: 'jane',
  groups: [],
  resource: 'pods',
  subresource: 'exec',
  namespace: '',
  name: '',
  container: '',
};

function open(secret = 'secret') {
  const inputs: unknown[] = [];
  const typed: unknown[] = [];
  const sessions: Pick<Sessions, 'input' | 'read'> = {
    input(reference, input): TakenInput {
      inputs.push([reference.id, input]);
      return { bytes: input.stdin?.length ?? 0, lines: input.stdin ? ['ls'] : [] };
    },
    read: () => ({ stdout: 'out', stderr: '', exit: { code: 3 }, stdoutFrom: 5, stderrFrom: 0 }),
  };
  const inner = new InnerSessions({
    ...{ sessions: sessions as Sessions, secret },
    recordTyped: (by, lines) => typed.push([by.user, lines]),
    openPort: (target, port) => (port === 80 ? { http: true } : { session: { ...target, id: `port-${port}` } }),
  });
  return { inner, inputs, typed };
}

const opened = (reference: SessionReference): SessionResponse =>
  ({ type: 'session', opened: { session: reference } }) as unknown as SessionResponse;
const ticketOf = ({ inner }: ReturnType<typeof open>, reference = session): string =>
  (JSON.parse(inner.answerUpgrade(opened(reference)).body!) as { ticket: string }).ticket;
const request = (body: object): PodHttpRequest => ({ body: JSON.stringify(body) }) as PodHttpRequest;

test('who holds a ticket gives input, gets output from where it stands, and has what it was given acknowledged', () => {
  const given = open();
  const input = { stdin: 'ls\n' };
  const { body, status } = given.inner.exchange(request({ ticket: ticketOf(given), stdoutFrom: 5, input }), 0);
  expect([status, JSON.parse(body!)]).toEqual([
    200,
    { stdout: 'out', stderr: '', taken: 3, stdoutFrom: 8, stderrFrom: 0, exit: { code: 3 } },
  ]);
  expect(given.inputs).toEqual([
    ['7', input],
    ['7', { received: { stdout: 8, stderr: 0 } }],
  ]);
  expect(given.typed).toEqual([]);
});

test('what is typed on a terminal is recorded for its typist', () => {
  const given = open();
  given.inner.exchange(request({ ticket: ticketOf(given, { ...session, typist }), input: { stdin: 'ls\n' } }), 0);
  expect(given.typed).toEqual([['jane', ['ls']]]);
});

test('a refusal of the kubelet is told in its words', () => {
  const failure = new ApiError(500, 'InternalError', 'container not found ("a")');
  const response = { type: 'session', opened: { failure } } as unknown as SessionResponse;
  expect(JSON.parse(open().inner.answerUpgrade(response).body!)).toEqual({ failure: 'container not found ("a")' });
});

test.each<[string, (ticket: string) => unknown]>([
  ['none', () => undefined],
  ['no text', () => 7],
  ['one of another cluster', () => ticketOf(open('other'))],
  ['one of another session', (ticket) => ticket.replace('"id":"7"', '"id":"8"')],
  ['one without a seal', (ticket) => ticket.slice(ticket.indexOf('.'))],
])('a ticket that was not given (%s) opens nothing', (_, forge) => {
  const given = open();
  const answer = given.inner.exchange(request({ ticket: forge(ticketOf(given)), input: { stdin: 'x' } }), 0);
  expect([answer.status, given.inputs]).toEqual([403, []]);
});

test('who may forward ports opens them in that pod only', () => {
  const { inner, inputs } = open();
  const target = { namespace: 'shop', pod: 'web', uid: 'u1' };
  const upgraded = { type: 'portforward', status: 101, headers: {}, target, ports: [] } as const;
  const { ticket } = JSON.parse(inner.answerUpgrade(upgraded).body!) as { ticket: string };
  const ask = (port: number) => JSON.parse(inner.exchange(request({ ticket, port }), 0).body!) as { ticket?: string };
  expect(ask(80)).toEqual({ http: true });
  inner.exchange(request({ ticket: ask(5432).ticket, input: { stdin: 'x' } }), 0);
  expect(inputs[0]).toEqual(['port-5432', { stdin: 'x' }]);
});
