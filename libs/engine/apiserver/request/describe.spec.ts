import { expect, test } from '@jest/globals';
import { describeRequest } from './describe.js';

test.each([
  ['GET', '/api/v1/namespaces/default/pods', '', 'list', 'pods'],
  ['GET', '/api/v1/pods', 'watch=1', 'watch', 'pods'],
  ['POST', '/api/v1/namespaces/default/pods/web/exec', 'command=ls', 'create', 'pods/exec'],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments', '', 'deletecollection', 'deployments'],
  ['GET', '/healthz', '', 'get', ''],
  ['GET', '/api/v1/namespaces/%zz', '', 'get', ''],
])('%s %s?%s', (method, path, query, verb, resource) =>
  expect(describeRequest({ method, path, query })).toMatchObject({ verb, resource }),
);
