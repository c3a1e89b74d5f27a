import { expect, test } from '@jest/globals';
import { pod, readerOf, secret } from '../testing.js';
import { findMissingPullSecrets } from './pull-secrets.js';

test.each([
  ['none named', [], ''],
  ['one that is there', ['there'], ''],
  ['one that is not', ['there', 'nope'], 'nope'],
  ['two that are not', ['nope', 'neither'], 'nope, neither'],
])('%s', (_, names, missing) => {
  const of = pod({ imagePullSecrets: names.map((name) => ({ name })) });
  const message = `Unable to retrieve some image pull secrets (${missing}); attempting to pull the image may not succeed.`;
  const event = { type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', message };
  expect(findMissingPullSecrets(of, readerOf(secret('there')))).toEqual(missing === '' ? [] : [event]);
});
