import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { RuntimeServiceOptions } from './call.js';
import { serveRuntime } from './runtime-service.js';

const from = { metadata: { uid: 'u' }, spec: { nodeName: 'n', containers: [] }, status: {} } as unknown as Pod;
const nothing = { get: () => undefined, list: () => [], byIndex: () => [] };
const options = {
  ...{ read: nothing, client: nothing, images: {}, machines: {}, sessions: {}, now: 0, from },
} as unknown as RuntimeServiceOptions;
const ask = (operation: string, body: object): { status: number; error?: string } => {
  const request = { scheme: 'http', port: 0, method: 'POST', headers: {} } as const;
  const answer = serveRuntime(options, { ...request, path: `/${operation}`, body: JSON.stringify(body) });
  return { status: answer.status, ...(JSON.parse(answer.body || '{}') as object) };
};

test.each([
  ['StopContainer', 'an error occurred when try to find container "x": not found'],
  ['StopPodSandbox', 'an error occurred when try to find sandbox "x": not found'],
  ['Exec', 'an error occurred when try to find container "x": not found'],
  ['Logs', 'an error occurred when try to find container "x": not found'],
])('%s of what is not there', (operation, message) =>
  expect(ask(operation, { id: 'x' })).toEqual({ status: 400, error: `rpc error: code = NotFound desc = ${message}` }),
);

test.each(['RemoveContainer', 'RemovePodSandbox'])('%s of what is not there is done', (operation) =>
  expect(ask(operation, { id: 'x' })).toEqual({ status: 200 }),
);

test('a reference that is none', () =>
  expect(ask('PullImage', { image: 'A B' }).error).toContain('InvalidArgument desc = failed to parse image reference'));

test.each(['', 'toString', 'CheckpointContainer'])('there is no call %j', (operation) =>
  expect(ask(operation, {})).toEqual({ status: 404 }),
);
