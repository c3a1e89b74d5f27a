import type { Status } from '../../api/meta_v1.js';
import { isObject, type Json, type JsonObject } from '../../machinery/meta/object.js';
import { ApiError, internalError } from '../../machinery/meta/status.js';
import { jsonType } from '../../machinery/patch/patch.js';
import { REVIEW_GROUP, REVIEW_VERSIONS } from './admission-review.js';

/** The response of an AdmissionReview. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  /** Base64; '' for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** An AdmissionReview whose response breaks the protocol. */
export class InvalidResponseError extends Error {}

/**
 * The verdict in a webhook's answer to the review with this version and uid. Throws InvalidResponseError. Models
 * apiserver/pkg/admission/plugin/webhook/request VerifyAdmissionResponse.
 */
export function verifyAdmissionResponse(answer: JsonObject, version: string, uid: string, mutating: boolean): Verdict {
  const { response } = answer;
  if (!isObject(response)) throw new InvalidResponseError('webhook response was absent');
  const { allowed, status, patch, patchType, warnings } = response as Partial<Record<string, Json>>;
  const verdict: Verdict = {
    allowed: allowed === true,
    status: isObject(status) ? (status as Partial<Status>) : undefined,
    patch: typeof patch === 'string' ? patch : '',
    patchType: typeof patchType === 'string' ? patchType : '',
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
  };
  if (version !== 'v1') return { ...verdict, patch: mutating ? verdict.patch : '', patchType: 'JSONPatch' };
  if (response['uid'] !== uid)
    throw new InvalidResponseError(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`,
    );
  const expected = `${REVIEW_GROUP}/v1, Kind=AdmissionReview`;
  const given = `${String(answer['apiVersion'] ?? '/')}, Kind=${String(answer['kind'] ?? '')}`;
  if (given !== expected) throw new InvalidResponseError(`expected webhook response of ${expected}, got ${given}`);
  checkPatch(verdict, patchType !== undefined && patchType !== null, mutating);
  return verdict;
}

function checkPatch({ patch, patchType }: Verdict, typed: boolean, mutating: boolean): void {
  if (!mutating) {
    if (patch) throw new InvalidResponseError('validating webhook may not return response.patch');
    if (typed) throw new InvalidResponseError('validating webhook may not return response.patchType');
    return;
  }
  if (patch && !typed) throw new InvalidResponseError('webhook returned response.patch but not response.patchType');
  if (!patch && typed) throw new InvalidResponseError('webhook returned response.patchType but not response.patch');
  if (typed && !patchType) throw new InvalidResponseError('webhook returned invalid response.patchType of ""');
}

const FIELDS: Readonly<Record<string, string>> = {
  uid: 'string',
  allowed: 'bool',
  patch: 'string',
  patchType: 'string',
  warnings: 'array',
  auditAnnotations: 'object',
  status: 'object',
};
const GO_TYPES: Readonly<Record<string, string>> = {
  uid: 'types.UID',
  patch: '[]uint8',
  patchType: 'v1.PatchType',
  warnings: '[]string',
  auditAnnotations: 'map[string]string',
  status: 'v1.Status',
};

/** The error of decoding the answer as an AdmissionReview of the version; undefined when it can be decoded. */
export function findDecodingError(answer: JsonObject, version: string): string | undefined {
  const { apiVersion, kind, response } = answer;
  if (typeof apiVersion === 'string' && typeof kind === 'string' && apiVersion && kind) {
    const [group, given = ''] = apiVersion.split('/');
    if (group !== REVIEW_GROUP || kind !== 'AdmissionReview' || !REVIEW_VERSIONS.includes(given))
      return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    if (given !== version)
      return `converting (${given}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`;
  }
  if (response === undefined || response === null) return undefined;
  if (!isObject(response))
    return `json: cannot unmarshal ${jsonType(response)} into Go struct field AdmissionReview.response of type ${version}.AdmissionResponse`;
  const wrongField = Object.entries(FIELDS).find(
    ([field, type]) => response[field] !== undefined && response[field] !== null && jsonType(response[field]) !== type,
  )?.[0];
  return (
    wrongField &&
    `json: cannot unmarshal ${jsonType(response[wrongField]!)} into Go struct field AdmissionResponse.response.${wrongField} of type ${GO_TYPES[wrongField] ?? FIELDS[wrongField]}`
  );
}

/** The error of a request that a webhook denies. Models apiserver/pkg/admission/plugin/webhook/errors ToStatusErr. */
export function denialError(name: string, { status = {} }: Verdict): ApiError {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const { message, reason, details } = status;
  const code = typeof status.code === 'number' && status.code >= 400 && status.code < 600 ? status.code : 400;
  return new ApiError(
    code,
    reason ?? '',
    message ? `${by}: ${message}` : reason ? `${by}: ${reason}` : `${by} without explanation`,
    isObject(details) ? details : undefined,
  );
}

/** The error of a request whose webhook could not be called. Models ErrCallingWebhook of apiserver/pkg/util/webhook. */
export const callError = (name: string, why: string): ApiError =>
  internalError(`failed calling webhook ${JSON.stringify(name)}: ${why}`);
