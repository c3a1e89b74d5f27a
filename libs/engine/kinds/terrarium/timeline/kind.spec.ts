import { expect, test } from '@jest/globals';
import type { Client, WriteContext } from '../../../machinery/client.js';
import type { Timeline as Answer, TimelineQuestion } from '../../../machinery/questions/why.js';
import { context, NOW } from '../../testing.js';
import { kind, type Timeline } from './kind.js';

const answer: Answer = { entries: [], ends: '' };
const asked: TimelineQuestion[] = [];
const withHistory: WriteContext = {
  ...context,
  timeline: (question) => {
    asked.push(question);
    return question.resource === 'nope' ? 'the server doesn\'t have a resource type "nope"' : answer;
  },
};
const evaluate = (spec: unknown, by = withHistory): Timeline =>
  kind.evaluate!({ metadata: {}, spec } as unknown as Timeline, {} as Client, by);

test.each<[unknown, TimelineQuestion]>([
  [undefined, { filter: {}, limit: 100 }],
  [
    { resource: 'pods', namespace: 'shop', name: 'web', actor: 'jane', verbs: ['delete'], ofUsers: true, limit: 3 },
    {
      resource: 'pods',
      filter: { namespace: 'shop', name: 'web', actor: 'jane', verbs: ['delete'], ofUsers: true },
      limit: 3,
    },
  ],
  [
    { since: '2026-01-01T11:00:00Z', until: '2026-01-01T12:00:00Z', after: 5, before: 9 },
    { filter: { since: NOW - 3_600_000, until: NOW, after: 5 }, before: 9, limit: 100 },
  ],
])('%j is asked', (spec, question) => {
  expect(evaluate(spec).status).toBe(answer);
  expect(asked.at(-1)).toEqual(question);
});

test.each<[unknown, string]>([
  [{ size: 1 }, 'spec: Invalid value: "size": unknown field'],
  [{ limit: 501 }, 'spec.limit: Invalid value: 501: must be a number of 1 to 500'],
  [{ verbs: ['get'] }, 'spec.verbs: Unsupported value: "get": supported values: "create", "update", "delete"'],
  [{ verbs: 'get' }, 'spec.verbs: Invalid value: "get": must be a list of verbs'],
  [{ since: 'yesterday' }, 'spec.since: Invalid value: "yesterday": must be a time as RFC 3339 has it'],
  [{ before: -1 }, 'spec.before: Invalid value: -1: must be a revision'],
  [{ name: 7 }, 'spec.name: Invalid value: "": must be a text of at most 253 characters'],
  [{ ofUsers: 'yes' }, 'spec.ofUsers: Invalid value: "yes": must be true or false'],
  [{ resource: 'nope' }, 'the server doesn\'t have a resource type "nope"'],
])('%j is refused', (spec, message) => expect(() => evaluate(spec)).toThrow(message));

test('without a history', () => {
  expect(() => evaluate({}, context)).toThrow('nobody here knows the history');
});
