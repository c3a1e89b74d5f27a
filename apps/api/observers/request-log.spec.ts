import { beforeEach, expect, test } from '@jest/globals';
import type { FinishedRequest } from '../gate/observer.js';
import { RequestLog } from './request-log.js';

let quiet: string | undefined;
let lines: { level: string; fields: Record<string, unknown> }[];
const logger = {
  isLevelEnabled: (level: string) => level !== quiet,
  info: (fields: object) => void lines.push({ level: 'info', fields: fields as Record<string, unknown> }),
  warn: (fields: object) => void lines.push({ level: 'warn', fields: fields as Record<string, unknown> }),
} as never;
beforeEach(() => void ([lines, quiet] = [[], undefined]));

const REQUEST: FinishedRequest = {
  edge: 'kubernetes',
  arrivalEdge: 'kubernetes',
  verb: 'list',
  requestId: 'r1',
  userAgent: 'kubectl/v1.36.0',
  resource: 'pods',
  code: 200,
  ms: 12.3456,
  waitMs: 0,
  bytes: 1_234,
  tenantId: 't1',
  clusterId: 'c1',
};
const log = (request: Partial<FinishedRequest>, level: 'errors' | 'all' = 'all'): void =>
  new RequestLog(logger, level).finished({ ...REQUEST, ...request });

test('a line says who asked for what, what came of it, and how long it took', () => {
  log({});
  expect(lines).toEqual([
    {
      level: 'info',
      fields: {
        edge: 'kubernetes',
        verb: 'list',
        resource: 'pods',
        code: 200,
        ms: 12.3,
        waitMs: 0,
        bytes: 1_234,
        tenant: 't1',
        cluster: 'c1',
        requestId: 'r1',
        userAgent: 'kubectl/v1.36.0',
      },
    },
  ]);
});

test.each<[string, Partial<FinishedRequest>, 'errors' | 'all', string[]]>([
  ["a client's mistake", { code: 422 }, 'all', ['info']],
  ['a failure of the service', { code: 503 }, 'all', ['warn']],
  ['a probe of health', { edge: 'open', verb: 'get' }, 'all', []],
  ['a probe that fails', { edge: 'open', verb: 'get', code: 503 }, 'all', ['warn']],
  ['a heartbeat', { resource: 'leases', verb: 'update' }, 'all', []],
  ['a heartbeat that is refused', { resource: 'leases', verb: 'update', code: 409 }, 'all', ['info']],
  ['a list of leases', { resource: 'leases', verb: 'list' }, 'all', ['info']],
  ['a success, when only errors are asked for', {}, 'errors', []],
  ["a client's mistake, when only errors are asked for", { code: 404 }, 'errors', []],
  ['a failure, when only errors are asked for', { code: 500 }, 'errors', ['warn']],
])('%s', (_, request, level, expected) => {
  log(request, level);
  expect(lines.map((line) => line.level)).toEqual(expected);
});

test('no line is made that the level of the log drops', () => {
  quiet = 'info';
  log({});
  log({ code: 500 });
  expect(lines.map((line) => line.level)).toEqual(['warn']);
});

test('nothing of a request gets into the log but what is named, and no agent fills it', () => {
  const secrets = { authorization: 'Bearer tk_secret', url: '/?token=tk_secret', body: 'tk_secret' };
  log({ ...secrets, error: new Error('tk_secret'), userAgent: 'x'.repeat(10_000), traceparent: 'tk_secret' });
  expect(JSON.stringify(lines)).not.toContain('tk_secret');
  expect((lines[0]!.fields['userAgent'] as string).length).toBe(120);
});
