import { describe, expect, test } from '@jest/globals';
import type { Call } from '../../call.js';
import { ConfigMaps } from '../../../kinds/index.js';
import { Widgets } from '../../../runtime/testing.js';
import { APPLY_PATCH, patchMediaType, STRATEGIC_PATCH } from './patch-type.js';

const call = (kind: Call['kind'], contentType?: string): Call =>
  ({ kind, request: { headers: { 'content-type': contentType } } }) as unknown as Call;
const OF_CUSTOM = 'the body of the request was in an unknown format - accepted media types include: ';

describe('the media type of a patch', () => {
  test.each([
    ['application/merge-patch+json', 'application/merge-patch+json'],
    ['Application/JSON-Patch+JSON; charset=utf-8', 'application/json-patch+json'],
    [STRATEGIC_PATCH, STRATEGIC_PATCH],
    [APPLY_PATCH, APPLY_PATCH],
  ])('%s', (contentType, mediaType) => expect(patchMediaType(call(ConfigMaps, contentType), true)).toBe(mediaType));

  test.each([
    ['of a built-in object', ConfigMaps, 'text/plain', true, '415: Unsupported Media Type'],
    ['that is missing', ConfigMaps, undefined, true, '415: Unsupported Media Type'],
    ['that the handler does not apply', ConfigMaps, APPLY_PATCH, false, '415: Unsupported Media Type'],
    [
      'of a custom object, which has no strategic patch',
      Widgets,
      STRATEGIC_PATCH,
      true,
      `${OF_CUSTOM}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
    ],
  ])('%s is refused', (_, kind, contentType, canApply, message) =>
    expect(() => patchMediaType(call(kind, contentType), canApply)).toThrow(
      expect.objectContaining({ code: 415, message }) as unknown as Error,
    ),
  );
});
