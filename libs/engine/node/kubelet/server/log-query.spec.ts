import { expect, test } from '@jest/globals';
import { Query } from '../../../machinery/requests/query.js';
import { findQueryProblem, journalCommand, type LogQuery, parseLogQuery } from './log-query.js';

type Parameters = Record<string, string | readonly string[]>;
const parse = (parameters: Parameters): ReturnType<typeof parseLogQuery> =>
  parseLogQuery(
    new Query(
      Object.entries(parameters)
        .flatMap(([name, value]) => [value].flat().map((one) => `${name}=${encodeURIComponent(one)}`))
        .join('&'),
    ),
  );
const parsed = (parameters: Parameters): LogQuery => {
  const query = parse(parameters);
  if (!query || 'problem' in query) throw new Error(query?.problem ?? 'nothing is asked');
  return query;
};

// Models kubelet_server_journal_test.go Test_newNodeLogQuery.
test.each<[Parameters, unknown]>([
  [{}, undefined],
  [{ query: 'foo' }, { services: ['foo'], files: [], hasOptions: false }],
  [{ query: ['foo', 'bar'] }, { services: ['foo', 'bar'], files: [], hasOptions: false }],
  [{ query: 'foo/bar.log' }, { services: [], files: ['foo/bar.log'], hasOptions: false }],
  [{ query: '\\foo' }, { services: [], files: ['\\foo'], hasOptions: false }],
  [
    { query: 'foo', sinceTime: '2026-01-01T00:00:00Z', tailLines: '10', pattern: 'err' },
    { services: ['foo'], files: [], since: Date.UTC(2026, 0, 1), lines: 10, pattern: 'err', hasOptions: true },
  ],
  [{ query: '  ' }, { problem: 'query: Invalid value: []string{"  "}: query cannot be empty' }],
  [{ query: 'foo', sinceTime: 'soon' }, { problem: 'sinceTime: Invalid value: "soon": invalid time format' }],
  [
    { query: 'foo', tailLines: 'few', boot: 'last' },
    {
      problem:
        '[boot: Invalid value: "last": strconv.Atoi: parsing "last": invalid syntax, tailLines: Invalid value: "few": strconv.Atoi: parsing "few": invalid syntax]',
    },
  ],
])('%j asks for %j', (parameters, query) => expect(parse(parameters)).toEqual(query));

// Models Test_validateServices and Test_nodeLogQuery_validate.
test.each<[Parameters, string | undefined]>([
  [{ query: 'kubelet' }, undefined],
  [{ query: '/syslog' }, undefined],
  [{ query: '/none' }, 'query: Invalid value: []string{"/none"}: stat /var/log/none: no such file or directory'],
  [{ query: 'foo;' }, 'query: Invalid value: "foo;": input contains unsupported characters'],
  [{ query: ['a', 'b', 'c', 'd', 'e'] }, 'query: Too many: 5: must have at most 4 items'],
  [{ query: ['foo', '/bar'] }, 'query: Invalid value: "[/bar], [foo]": cannot specify a file and service'],
  [{ query: ['/a', '/b'] }, 'query: Invalid value: []string{"/a", "/b"}: cannot specify more than one file'],
  [{ query: '/syslog', tailLines: '1' }, 'query: Invalid value: []string{"/syslog"}: cannot specify file with options'],
  [{ tailLines: '1' }, 'query: Required value: cannot be empty with options'],
  [{ query: 'foo', boot: '1' }, 'boot: Invalid value: 1: must be less than 1'],
  [{ query: 'foo', tailLines: '-1' }, 'tailLines: Invalid value: -1: must be between 0 and 100000, inclusive'],
  [
    { query: 'foo', sinceTime: '2026-01-02T00:00:00Z', untilTime: '2026-01-01T00:00:00Z' },
    'untilTime: Invalid value: "2026-01-01T00:00:00.000Z": must be after `sinceTime`',
  ],
])('%j: %s', (parameters, problem) =>
  expect(findQueryProblem(parsed(parameters), (file) => file === '/syslog')).toBe(problem),
);

test.each<[Parameters, string]>([
  [{ query: 'kubelet' }, '--unit=kubelet --boot=0'],
  [
    { query: 'kubelet', sinceTime: '2026-01-01T00:00:00Z', tailLines: '5', pattern: 'error', boot: '-1' },
    '--since=2026-01-01 00:00:00 --pager-end --lines=5 --unit=kubelet --grep=error --case-sensitive=false --boot=-1',
  ],
])('%j runs journalctl', (parameters, rest) =>
  expect(journalCommand(parsed(parameters), ['kubelet']).join(' ')).toBe(
    `journalctl --utc --no-pager --output=short-precise ${rest}`,
  ),
);
