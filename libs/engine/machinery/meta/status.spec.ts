import { expect, test } from '@jest/globals';
import { invalidValue, Path, required } from './field.js';
import {
  alreadyExists,
  ApiError,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  methodNotSupported,
  notFound,
  OBJECT_MODIFIED,
  resourceText,
  tooManyRequests,
} from './status.js';

const deployments = { group: 'apps', plural: 'deployments' };
const pods = { group: '', plural: 'pods' };

test.each([
  [deployments, 'deployments.apps'],
  [pods, 'pods'],
])('%j is %s', (resource, text) => expect(resourceText(resource)).toBe(text));

test.each([
  [notFound(pods, 'a'), 404, 'NotFound', 'pods "a" not found', { name: 'a', kind: 'pods' }],
  [
    alreadyExists(deployments, 'a'),
    409,
    'AlreadyExists',
    'deployments.apps "a" already exists',
    { name: 'a', group: 'apps', kind: 'deployments' },
  ],
  [
    conflict(pods, 'a', OBJECT_MODIFIED),
    409,
    'Conflict',
    'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again',
    { name: 'a', kind: 'pods' },
  ],
  [forbidden(pods, 'a', 'no'), 403, 'Forbidden', 'pods "a" is forbidden: no', { name: 'a', kind: 'pods' }],
  [forbidden(pods, '', 'no'), 403, 'Forbidden', 'pods is forbidden: no', { kind: 'pods' }],
  [
    methodNotSupported(deployments, 'patch'),
    405,
    'MethodNotAllowed',
    'patch is not supported on resources of kind "deployments.apps"',
    { group: 'apps', kind: 'deployments' },
  ],
  [tooManyRequests('later', 3), 429, 'TooManyRequests', 'later', { retryAfterSeconds: 3 }],
  [internalError('x'), 500, 'InternalError', 'Internal error occurred: x', { causes: [{ message: 'x' }] }],
])('%s', (error, code, reason, message, details) => expect(error).toMatchObject({ code, reason, message, details }));

test('is answered as a Status, without what it does not have', () => {
  expect(badRequest('no').toStatus()).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'no',
    reason: 'BadRequest',
    code: 400,
  });
  expect(new ApiError(418, '', 'x').toStatus()).not.toHaveProperty('reason');
});

test.each([
  ['one error', [required(Path.of('spec'))], 'Deployment.apps "a" is invalid: spec: Required value'],
  [
    'several errors, each once',
    [required(Path.of('spec')), required(Path.of('spec')), invalidValue(Path.of('x'), 1, 'no')],
    'Deployment.apps "a" is invalid: [spec: Required value, x: Invalid value: 1: no]',
  ],
])('%s of an object', (_, errors, message) => {
  const error = invalid({ group: 'apps', kind: 'Deployment' }, 'a', errors);
  expect(error.message).toBe(message);
  expect(error.details).toEqual({
    name: 'a',
    group: 'apps',
    kind: 'Deployment',
    causes: errors.map((e) => ({ reason: e.type, message: e.body, field: e.field })),
  });
});
