import type { BodyResponse } from '../../machinery/requests/http.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { Call } from '../call.js';
import { clientOf, writeOptions } from '../call-options.js';
import { decodeObject } from '../request/decode.js';
import { mutationOptions } from '../request/options.js';
import { objectText } from '../response/json.js';
import { objectResponse, textResult } from '../response/respond.js';
import { ensureNamespaceMatchesRequest } from './request-object.js';

/** POST. Models apiserver/pkg/endpoints/handlers/create.go. */
export function create(call: Call): BodyResponse {
  const { kind, server } = call;
  const { dryRun, fieldValidation } = mutationOptions('CreateOptions', call.query);
  const draft = decodeObject(call, fieldValidation);
  ensureNamespaceMatchesRequest(call, draft);
  if (kind.evaluate) return evaluate(call, draft, dryRun);
  return objectResponse(call, 201, server.writer.create(kind, draft, writeOptions(call, dryRun)));
}

/** A review (SubjectAccessReview, TokenReview) is answered and not stored. */
function evaluate(call: Call, draft: KubeObject, dryRun: boolean): BodyResponse {
  const context = call.server.writer.context(call.request.user);
  const review = call.kind.evaluate!(draft, clientOf(call, dryRun), context);
  return textResult(call, 201, objectText(call.kind, review));
}
