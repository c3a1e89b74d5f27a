import type { StatusCause } from '../api/meta_v1.js';
import { forbidden, type ApiError } from '../machinery/meta/status.js';
import type { AdmissionRequest } from '../runtime/admission.js';

/**
 * The 403 of a mutating plug-in: 'pods "web" is forbidden: <why>'. Upstream generates names after mutating admission,
 * so that an object with a generateName is named by that prefix. Models apiserver/pkg/admission NewForbidden.
 */
export function refuse(request: AdmissionRequest, why: string, causes: readonly StatusCause[] = []): ApiError {
  const generateName = request.operation === 'CREATE' ? request.object?.metadata.generateName : undefined;
  const error = forbidden(request.kind, generateName || request.name, why);
  if (causes.length > 0 && error.details) error.details.causes = [...causes];
  return error;
}

/**
 * The 403 of a validating plug-in: the object has its final name. Models apiserver/pkg/registry/rest
 * AdmissionToValidateObjectFunc.
 */
export const refuseNamed = (request: AdmissionRequest, why: string): ApiError =>
  forbidden(request.kind, request.object?.metadata.name || request.name, why);
