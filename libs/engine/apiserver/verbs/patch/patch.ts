import type { BodyResponse } from '../../../machinery/requests/http.js';
import type { Call } from '../../call.js';
import { writeOptions } from '../../call-options.js';
import { mutationOptions } from '../../request/options.js';
import { objectResponse } from '../../response/respond.js';
import { apply } from './apply.js';
import { getCurrent } from '../get.js';
import { patchObject } from './patch-object.js';
import { APPLY_PATCH, patchMediaType } from './patch-type.js';
import { checkName, ensureNamespaceMatchesRequest, validateImmutableMetadata } from '../request-object.js';

/** PATCH of the object or its status. Models apiserver/pkg/endpoints/handlers/patch.go. */
export function patch(call: Call): BodyResponse {
  if (patchMediaType(call, true) === APPLY_PATCH) return apply(call);
  const { kind, server, subresource } = call;
  const { dryRun, fieldValidation } = mutationOptions('PatchOptions', call.query);
  const current = getCurrent(call);
  const draft = patchObject(call, current, kind.definition, fieldValidation);
  ensureNamespaceMatchesRequest(call, draft);
  checkName(call, draft);
  validateImmutableMetadata(call, draft, current);
  return objectResponse(call, 200, server.writer.update(kind, draft, writeOptions(call, dryRun), subresource));
}
