import { expect, test } from '@jest/globals';
import type { Client, WriteContext } from '../../../machinery/client.js';
import type { WhyAnswer, WhyQuestion } from '../../../machinery/questions/why.js';
import { context, row } from '../../testing.js';
import { kind, type Why } from './kind.js';

const answer: WhyAnswer = { reason: 'Well', message: 'all is well', findings: [], chain: [], chainEnds: '', text: '' };
const asked: WhyQuestion[] = [];
const withAnswers: WriteContext = {
  ...context,
  why: (question) => {
    asked.push(question);
    return question.type === 'revision' ? 'revision 9 is yet to come' : answer;
  },
};
const evaluate = (spec: unknown, by = withAnswers): Why =>
  kind.evaluate!({ metadata: {}, spec } as unknown as Why, {} as Client, by);

test.each<[object, object]>([
  [
    { resource: 'po', name: 'web' },
    { type: 'object', resource: 'po', namespace: 'default', name: 'web' },
  ],
  [
    { resource: 'pods', namespace: 'shop', name: 'web', condition: 'Ready', before: 7 },
    { type: 'object', resource: 'pods', namespace: 'shop', name: 'web', condition: 'Ready', before: 7 },
  ],
  [
    { connection: { from: 'node/a', to: '10.0.0.1', port: 80 } },
    { type: 'connection', connection: { from: { type: 'node', name: 'a' }, port: 80, protocol: 'TCP' } },
  ],
  [
    { request: { verb: 'get', resource: 'pods' } },
    { type: 'request', user: context.user, access: { verb: 'get', resource: 'pods' } },
  ],
  [
    { request: { verb: 'get', resource: 'pods/log' } },
    { type: 'request', user: context.user, access: { verb: 'get', resource: 'pods', subresource: 'log' } },
  ],
  [
    { request: { user: 'jane', groups: ['dev'], verb: 'get', path: '/metrics' } },
    { user: { name: 'jane', groups: ['system:authenticated', 'dev'] }, access: { path: '/metrics' } },
  ],
])('%j is asked', (spec, question) => {
  expect(evaluate(spec).status).toBe(answer);
  expect(asked.at(-1)).toMatchObject(question);
});

const ONE_OF = 'spec: Required value: one of name, connection, request and revision';

test.each<[unknown, string]>([
  [undefined, ONE_OF],
  [{ resource: 'pods', name: 'web', revision: 3 }, ONE_OF],
  [{ resource: 'pods' }, 'spec.name: Required value'],
  [{ name: 'web' }, 'spec.resource: Required value: such as pods, or deployments.apps'],
  [{ resource: 'pods', name: 'web', size: 1 }, 'spec: Invalid value: "size": unknown field'],
  [{ resource: 'pods', name: 7 }, 'spec.name: Invalid value: 7: must be a text of at most 253 characters'],
  [{ revision: 1.5 }, 'spec.revision: Invalid value: 1.5: must be a whole number of at least 1'],
  [{ connection: { to: '10.0.0.1', port: 80 } }, 'spec.connection.from: Required value'],
  [{ request: { resource: 'pods' } }, 'spec.request.verb: Required value'],
  [{ request: { verb: 'get' } }, 'spec.request.resource: Required value'],
  [{ request: { verb: 'get', resource: 'pods', object: {} } }, 'must be an object, with verb create or update'],
  [{ request: { verb: 'get', resource: 'pods', groups: 'a' } }, 'must be a list of at most 50 names'],
])('%j is refused', (spec, message) => expect(() => evaluate(spec)).toThrow(message));

test('what is not known is said so', () => {
  expect(() => evaluate({ revision: 9 })).toThrow('revision 9 is yet to come');
  expect(() => evaluate({ resource: 'pods', name: 'web' }, context)).toThrow('nobody here knows why');
});

test('a row', () => {
  expect(row(kind, evaluate({ resource: 'pods', name: 'web' }))).toEqual({ Reason: 'Well', Message: 'all is well' });
});
