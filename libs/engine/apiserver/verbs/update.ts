import { invalidValue, Path } from '../../machinery/meta/field.js';
import type { BodyResponse } from '../../machinery/requests/http.js';
import { type ApiError, invalid } from '../../machinery/meta/status.js';
import { keyOfCall, type Call } from '../call.js';
import { writeOptions } from '../call-options.js';
import { requireCreate } from '../request/authorize.js';
import { decodeObject } from '../request/decode.js';
import { mutationOptions } from '../request/options.js';
import { objectResponse } from '../response/respond.js';
import { checkName, ensureNamespaceMatchesRequest, validateImmutableMetadata } from './request-object.js';

/** PUT of the object or its status. Models apiserver/pkg/endpoints/handlers/update.go. */
export function update(call: Call): BodyResponse {
  const { kind, server, subresource } = call;
  const { dryRun, fieldValidation } = mutationOptions('UpdateOptions', call.query);
  const draft = decodeObject(call, fieldValidation);
  ensureNamespaceMatchesRequest(call, draft);
  checkName(call, draft);
  const stored = server.state.get(kind, keyOfCall(call));
  if (!stored && kind.createOnUpdate && !subresource) {
    requireCreate(call);
    return objectResponse(call, 201, server.writer.create(kind, draft, writeOptions(call, dryRun)));
  }
  // Another uid is a conflict, which the writer finds.
  if (stored && (draft.metadata.uid || stored.metadata.uid) === stored.metadata.uid)
    validateImmutableMetadata(call, draft, stored);
  if (stored && kind.needsVersion && !draft.metadata.resourceVersion) throw missingResourceVersion(call);
  return objectResponse(call, 200, server.writer.update(kind, draft, writeOptions(call, dryRun), subresource));
}

/** Here alone upstream names the kind by its resource. */
const missingResourceVersion = ({ kind, name }: Call): ApiError =>
  invalid({ group: kind.group, kind: kind.plural }, name, [
    invalidValue(Path.of('metadata', 'resourceVersion'), 0, 'must be specified for an update'),
  ]);
