import { describe, expect, test } from '@jest/globals';
import {
  callError,
  denialError,
  findDecodingError,
  InvalidResponseError,
  verifyAdmissionResponse,
} from './admission-response.js';

const UID = '705ab4f5-6393-11e8-b7cc-42010a800002';
const review = (
  response: object,
  type: object = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
): never => ({ ...type, response: { uid: UID, allowed: true, ...response } }) as never;
const NOTHING = { allowed: true, status: undefined, patch: '', patchType: '', warnings: [] };

describe('a response of v1', () => {
  test.each<[string, object, boolean, object]>([
    ['that allows', {}, false, {}],
    [
      'that denies',
      { allowed: false, status: { message: 'no' } },
      false,
      { allowed: false, status: { message: 'no' } },
    ],
    ['that warns', { warnings: ['careful'] }, false, { warnings: ['careful'] }],
    ['that patches', { patchType: 'JSONPatch', patch: 'W10=' }, true, { patchType: 'JSONPatch', patch: 'W10=' }],
  ])('%s', (_, response, mutating, verdict) =>
    expect(verifyAdmissionResponse(review(response), 'v1', UID, mutating)).toEqual({ ...NOTHING, ...verdict }),
  );

  test.each<[string, never, boolean, string]>([
    ['that is absent', {} as never, false, 'webhook response was absent'],
    ['to another request', review({ uid: 'x' }), false, `expected response.uid="${UID}", got "x"`],
    ['to no request', review({ uid: undefined }), false, `expected response.uid="${UID}", got ""`],
    [
      'without a type',
      review({}, {}),
      false,
      'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    ],
    [
      'of a validating webhook with a patch',
      review({ patch: 'W10=' }),
      false,
      'validating webhook may not return response.patch',
    ],
    [
      'of a validating webhook with a patch type',
      review({ patchType: 'JSONPatch' }),
      false,
      'validating webhook may not return response.patchType',
    ],
    [
      'with a patch of no type',
      review({ patch: 'W10=' }),
      true,
      'webhook returned response.patch but not response.patchType',
    ],
    [
      'with a type of no patch',
      review({ patchType: 'JSONPatch' }),
      true,
      'webhook returned response.patchType but not response.patch',
    ],
    [
      'with an empty patch type',
      review({ patch: 'W10=', patchType: '' }),
      true,
      'webhook returned invalid response.patchType of ""',
    ],
  ])('%s is invalid', (_, answer, mutating, message) =>
    expect(() => verifyAdmissionResponse(answer, 'v1', UID, mutating)).toThrow(new InvalidResponseError(message)),
  );
});

test.each<[boolean, string]>([
  [true, 'W10='],
  [false, ''],
])('a response of v1beta1 needs neither uid nor type (mutating: %s)', (mutating, patch) =>
  expect(verifyAdmissionResponse(review({ uid: 'x', patch: 'W10=' }, {}), 'v1beta1', UID, mutating)).toEqual({
    ...NOTHING,
    patch,
    patchType: 'JSONPatch',
  }),
);

describe('decoding', () => {
  test.each<[string, object, string | undefined]>([
    ['a review', { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: {} }, undefined],
    ['a review without a type', { response: {} }, undefined],
    ['nothing', {}, undefined],
    [
      'another kind',
      { apiVersion: 'v1', kind: 'Pod' },
      'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
    [
      'another version',
      { apiVersion: 'admission.k8s.io/v1beta1', kind: 'AdmissionReview' },
      'converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion',
    ],
    [
      'a response of another type',
      { response: 'x' },
      'json: cannot unmarshal string into Go struct field AdmissionReview.response of type v1.AdmissionResponse',
    ],
    [
      'a field of another type',
      { response: { allowed: 'yes' } },
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      'a list of another type',
      { response: { warnings: 'careful' } },
      'json: cannot unmarshal string into Go struct field AdmissionResponse.response.warnings of type []string',
    ],
  ])('%s', (_, answer, error) => expect(findDecodingError(answer as never, 'v1')).toBe(error));
});

test.each<[string, object | undefined, object]>([
  ['nothing', undefined, { code: 400, reason: '', message: 'without explanation' }],
  [
    'a message',
    { message: 'no way', reason: 'Teapot', code: 418 },
    { code: 418, reason: 'Teapot', message: ': no way' },
  ],
  ['a reason', { reason: 'because' }, { code: 400, reason: 'because', message: ': because' }],
  ['a code of success', { code: 200, message: 'm' }, { code: 400, reason: '', message: ': m' }],
  ['details', { message: 'm', details: { name: 'a' } }, { message: ': m', details: { name: 'a' } }],
])('a denial that gives %s', (_, status, { message, ...expected }: { message?: string }) => {
  const error = denialError('h.x.io', { ...NOTHING, allowed: false, status });
  expect(error).toMatchObject(expected);
  expect(error.message).toBe(
    `admission webhook "h.x.io" denied the request${message!.startsWith(':') ? '' : ' '}${message}`,
  );
});

test('a call that failed is an internal error', () =>
  expect(callError('h.x.io', 'why')).toMatchObject({
    code: 500,
    message: 'Internal error occurred: failed calling webhook "h.x.io": why',
  }));
