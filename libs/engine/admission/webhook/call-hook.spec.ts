import { describe, expect, test } from '@jest/globals';
import type { ValidatingWebhook } from '../../api/admissionregistration_v1.js';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import type { OutsideCall } from '../../machinery/requests/http.js';
import { createRequest, objectOf, type RequestFields, type TestRequest } from '../testing.js';
import { applyFailurePolicy, callHook, CallingWebhookError } from './call-hook.js';
import type { Hook } from './match.js';

const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
const hook = (fields: object = {}): Hook => ({
  id: 'c/h.x.io/0',
  webhook: {
    name: 'h.x.io',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    clientConfig: { url: 'https://hook.example.com/do', caBundle: CA },
    ...fields,
  } as unknown as ValidatingWebhook,
});
/** A request whose webhook gives this response. */
function request(response: object, fields: RequestFields = {}, calls: OutsideCall[] = []): TestRequest {
  const outside = (call: OutsideCall): never => {
    calls.push(call);
    const { request, ...review } = JSON.parse(call.body) as { request: { uid: string } };
    const body = JSON.stringify({ ...review, response: { uid: request.uid, ...response } });
    return { status: 200, headers: {}, body } as never;
  };
  return createRequest(ConfigMaps, { object: objectOf(ConfigMaps), outside, ...fields });
}

describe('callHook', () => {
  test('returns the verdict, and passes the warnings on', () => {
    const reviewed = request({ allowed: true, warnings: ['careful'] });
    expect(callHook(hook(), reviewed, ConfigMaps, false)).toMatchObject({ allowed: true });
    expect(reviewed.warnings).toEqual(['careful']);
  });

  test.each<[string, object, RequestFields, object, number, string]>([
    [
      'denies',
      { allowed: false, status: { message: 'no', code: 418 } },
      {},
      {},
      418,
      'admission webhook "h.x.io" denied the request: no',
    ],
    [
      'has side effects, in a dry run',
      { allowed: true },
      { dryRun: true },
      { sideEffects: 'Some' },
      400,
      'admission webhook "h.x.io" does not support dry run',
    ],
    [
      'knows no version of the review',
      { allowed: true },
      {},
      { admissionReviewVersions: ['v2'] },
      500,
      'Internal error occurred: failed calling webhook "h.x.io": could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
    ],
    [
      'has an authority that cannot be read',
      { allowed: true },
      {},
      { clientConfig: { url: 'https://hook.example.com/do', caBundle: encodeBase64('x') } },
      500,
      'Internal error occurred: failed calling webhook "h.x.io": could not get REST client: unable to load root certificates: unable to parse bytes as PEM block',
    ],
    [
      'answers with a wrong type',
      { allowed: 'yes' },
      {},
      {},
      500,
      'Internal error occurred: failed calling webhook "h.x.io": failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      'breaks the protocol',
      { allowed: true, patch: 'W10=' },
      {},
      {},
      500,
      'Internal error occurred: failed calling webhook "h.x.io": received invalid webhook response: validating webhook may not return response.patch',
    ],
  ])('throws when the webhook %s', (_, response, fields, webhook, code, message) =>
    expect(() => callHook(hook(webhook), request(response, fields), ConfigMaps, false)).toThrow(
      expect.objectContaining({ code, message }) as never,
    ),
  );

  test('a denial is not a failure that may be ignored', () =>
    expect(() => callHook(hook({ failurePolicy: 'Ignore' }), request({ allowed: false }), ConfigMaps, false)).toThrow(
      'admission webhook "h.x.io" denied the request without explanation',
    ));

  test.each(['None', 'NoneOnDryRun'])('a dry run calls webhooks with side effects %s', (sideEffects) =>
    expect(
      callHook(hook({ sideEffects }), request({ allowed: true }, { dryRun: true }), ConfigMaps, false),
    ).toBeDefined(),
  );

  test('each call of a request has a key of its own', () => {
    const calls: OutsideCall[] = [];
    const first = request({ allowed: true }, {}, calls);
    callHook(hook(), first, ConfigMaps, true);
    callHook(hook(), { ...first, round: 1 }, ConfigMaps, true);
    callHook(hook(), first, ConfigMaps, false);
    callHook({ ...hook(), id: 'c/h.x.io/1' }, first, ConfigMaps, true);
    expect(calls.map(({ key }) => key)).toEqual([
      'mutating c/h.x.io/0 0 CREATE  configmaps  default a ',
      'mutating c/h.x.io/0 1 CREATE  configmaps  default a ',
      'validating c/h.x.io/0 0 CREATE  configmaps  default a ',
      'mutating c/h.x.io/1 0 CREATE  configmaps  default a ',
    ]);
  });

  test('the timeout is ten seconds by default', () => {
    const calls: OutsideCall[] = [];
    callHook(hook(), request({ allowed: true }, {}, calls), ConfigMaps, false);
    callHook(hook({ timeoutSeconds: 3 }), request({ allowed: true }, {}, calls), ConfigMaps, false);
    expect(calls.map(({ timeoutSeconds }) => timeoutSeconds)).toEqual([10, 3]);
  });
});

describe('applyFailurePolicy', () => {
  const failing = (): never => {
    throw new CallingWebhookError('why');
  };
  test('Fail is an internal error', () =>
    expect(() => applyFailurePolicy(hook(), failing)).toThrow(
      'Internal error occurred: failed calling webhook "h.x.io": why',
    ));
  test('Ignore passes', () => expect(applyFailurePolicy(hook({ failurePolicy: 'Ignore' }), failing)).toBeUndefined());
  test('other errors always throw', () => {
    const other = new Error('other');
    const work = (): never => {
      throw other;
    };
    expect(() => applyFailurePolicy(hook({ failurePolicy: 'Ignore' }), work)).toThrow(other);
  });
});
