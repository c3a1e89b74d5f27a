import { expect, test } from '@jest/globals';
import type { Client, WriteContext } from '../../../machinery/client.js';
import type { FlowAnswer, FlowQuestion } from '../../../machinery/questions/flow.js';
import { context, NOW } from '../../testing.js';
import { kind, type FlowQuery } from './kind.js';

const answer: FlowAnswer = { at: '2026-01-01T12:00:00.000000Z', flows: [], left: 0 };
const asked: FlowQuestion[] = [];
const withNetwork: WriteContext = {
  ...context,
  flows: (question) => {
    asked.push(question);
    return answer;
  },
};
const evaluate = (spec: unknown, by = withNetwork): FlowQuery =>
  kind.evaluate!({ metadata: {}, spec } as unknown as FlowQuery, {} as Client, by);

test.each<[unknown, FlowQuestion]>([
  [undefined, { since: NOW - 120_000, limit: 100 }],
  [
    { since: '2026-01-01T11:00:00Z', limit: 3 },
    { since: NOW - 3_600_000, limit: 3 },
  ],
])('%j is answered', (spec, question) => {
  expect(evaluate(spec).status).toBe(answer);
  expect(asked.at(-1)).toEqual(question);
});

test.each<[unknown, string]>([
  [{ since: 'yesterday' }, 'spec.since: Invalid value: "yesterday": must be a time as RFC 3339 has it'],
  [{ since: 7 }, 'spec.since: Invalid value: 7: must be a time'],
  [{ limit: 501 }, 'spec.limit: Invalid value: 501: must be a number of 1 to 500'],
  [{ size: 1 }, 'spec: Invalid value: "size": unknown field'],
])('%j is refused', (spec, message) => {
  expect(() => evaluate(spec)).toThrow(message);
});

test('without a network', () => {
  expect(() => evaluate({}, context)).toThrow('has no network');
});
