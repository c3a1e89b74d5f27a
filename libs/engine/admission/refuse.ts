import { forbidden, type ApiError } from '../machinery/status.js';
import type { StatusCause } from '../api/meta_v1.js';
import type { AdmissionRequest } from '../runtime/admission.js';

/**
 * 403 in the words of a plug-in: 'pods "web" is forbidden: ...'. A generated name is not known yet to upstream's plug-ins:
 * they name the object by its prefix. Models apiserver/pkg/admission NewForbidden.
 */
export function refuse(request: AdmissionRequest, why: string, causes: readonly StatusCause[] = []): ApiError {
  const generated = request.operation === 'CREATE' ? request.object?.metadata.generateName : undefined;
  const error = forbidden(request.kind, generated || request.name, why);
  if (causes.length > 0 && error.details) error.details.causes = [...causes];
  return error;
}
