import { expect, test } from '@jest/globals';
import { conversionError } from './conversion-error.js';

test.each([
  ['string into Go struct field DeploymentSpec.spec.replicas of type int32', 'unrecognized type: int32'],
  ['number into Go value of type []v1.Container', 'cannot restore slice from int64'],
  ['array into Go struct field ObjectMeta.labels of type map[string]string', 'cannot restore map from slice'],
  ['object into Go struct field X.y of type string', 'unrecognized type: string'],
  ['string into Go struct field Pod.spec of type v1.PodSpec', 'cannot restore struct from: string'],
])('cannot unmarshal %s', (mismatch, message) =>
  expect(conversionError(`json: cannot unmarshal ${mismatch}`)).toBe(message),
);

test('another error stays', () => expect(conversionError('strict decoding error')).toBe('strict decoding error'));
