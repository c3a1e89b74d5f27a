import { expect, test } from '@jest/globals';
import { formatLabels, metricsResponse } from './prometheus.js';

test('labels are quoted', () => expect(formatLabels({ a: '1', b: 'say "x"\n' })).toBe('a="1",b="say \\"x\\"\\n"'));

test('families stand behind each other', () =>
  expect(
    metricsResponse([
      { name: 'a_total', type: 'counter', help: 'Counts a.', lines: ['a_total{x="1"} 2', 'a_total{x="2"} 3'] },
      { name: 'b', type: 'gauge', help: 'Is b.', lines: [] },
    ]),
  ).toEqual({
    type: 'body',
    status: 200,
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' },
    body: '# HELP a_total Counts a.\n# TYPE a_total counter\na_total{x="1"} 2\na_total{x="2"} 3\n# HELP b Is b.\n# TYPE b gauge\n',
  }));
