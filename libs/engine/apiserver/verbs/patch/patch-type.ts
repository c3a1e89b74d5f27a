import { ApiError, unsupportedMediaType } from '../../../machinery/meta/status.js';
import type { Call } from '../../call.js';
import { isBuiltIn } from '../../../machinery/kind.js';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

/**
 * The media type of a patch; `canApply` where a handler of apply is at hand. Throws 415. Models
 * apiserver/pkg/endpoints/handlers/patch.go PatchResource.
 */
export function patchMediaType({ kind, request }: Call, canApply = false): string {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const types = [
    JSON_PATCH,
    MERGE_PATCH,
    ...(isBuiltIn(kind) ? [STRATEGIC_PATCH] : []),
    ...(canApply ? [APPLY_PATCH] : []),
  ];
  if (types.includes(mediaType)) return mediaType;
  if (isBuiltIn(kind)) throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${types.join(', ')}`,
  );
}
