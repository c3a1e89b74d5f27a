import type { Status, StatusCause, StatusDetails } from '../../api/meta_v1.js';
import type { FieldError } from './field.js';

/** An error that the API answers as a `Status` body. Models apimachinery/pkg/api/errors. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
  ) {
    super(message);
  }

  toStatus(): Status {
    const status: Record<string, unknown> = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
    };
    if (this.reason) status['reason'] = this.reason;
    if (this.details) status['details'] = this.details;
    status['code'] = this.code;
    return status as unknown as Status;
  }
}

/** An error that is answered as plain text, by outermost handlers or a load balancer. Models Go's http.Error. */
export class TextError extends ApiError {}

/** What an error talks about: the resource's plural and group. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** 'deployments.apps'; 'pods'. */
export const resourceText = (r: GroupResource): string => (r.group ? `${r.plural}.${r.group}` : r.plural);
const details = (r: GroupResource, name: string, causes?: StatusCause[]): StatusDetails => ({
  ...(name ? { name } : {}),
  ...(r.group ? { group: r.group } : {}),
  kind: r.plural,
  ...(causes?.length ? { causes } : {}),
});

export const notFound = (r: GroupResource, name: string): ApiError =>
  new ApiError(404, 'NotFound', `${resourceText(r)} "${name}" not found`, details(r, name));

export const alreadyExists = (r: GroupResource, name: string): ApiError =>
  new ApiError(409, 'AlreadyExists', `${resourceText(r)} "${name}" already exists`, details(r, name));

export const conflict = (r: GroupResource, name: string, why: string): ApiError =>
  new ApiError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${resourceText(r)} "${name}": ${why}`,
    details(r, name),
  );

export const OBJECT_MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export const forbidden = (r: GroupResource, name: string, why: string): ApiError =>
  new ApiError(
    403,
    'Forbidden',
    name ? `${resourceText(r)} "${name}" is forbidden: ${why}` : `${resourceText(r)} is forbidden: ${why}`,
    details(r, name),
  );

export const badRequest = (message: string): ApiError => new ApiError(400, 'BadRequest', message);
export const unauthorized = (): ApiError => new ApiError(401, 'Unauthorized', 'Unauthorized');
export const gone = (message: string): ApiError => new ApiError(410, 'Expired', message);
export const methodNotSupported = (r: GroupResource, verb: string): ApiError =>
  new ApiError(
    405,
    'MethodNotAllowed',
    `${verb} is not supported on resources of kind "${resourceText(r)}"`,
    details(r, ''),
  );
export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
export const tooManyRequests = (message: string, retryAfterSeconds: number): ApiError =>
  new ApiError(429, 'TooManyRequests', message, { retryAfterSeconds });
export const unsupportedMediaType = (message: string): ApiError => new ApiError(415, 'UnsupportedMediaType', message);
export const notAcceptable = (message: string): ApiError => new ApiError(406, 'NotAcceptable', message);
export const requestEntityTooLarge = (message: string): ApiError => new ApiError(413, 'RequestEntityTooLarge', message);
export const internalError = (message: string): ApiError =>
  new ApiError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

/** 422 with every field error at once: 'Pod "x" is invalid: [a, b]'. */
export function invalid(kind: { group: string; kind: string }, name: string, errors: readonly FieldError[]): ApiError {
  const texts = [...new Set(errors.map((e) => e.message))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const groupKind = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  const causes = errors.map((e) => ({ reason: e.type, message: e.body, field: e.field }));
  return new ApiError(422, 'Invalid', `${groupKind} "${name}" is invalid: ${list}`, {
    ...(name ? { name } : {}),
    ...(kind.group ? { group: kind.group } : {}),
    ...(kind.kind ? { kind: kind.kind } : {}),
    ...(causes.length ? { causes } : {}),
  });
}
