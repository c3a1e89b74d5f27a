import type { Status } from '../../api/meta_v1.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { apiVersionOf, type Json, type KubeObject } from '../../machinery/meta/object.js';
import { isObject, jsonType, type JsonObject } from '../../machinery/patch/patch.js';
import { ApiError, internalError } from '../../machinery/meta/status.js';
import type { AdmissionRequest, ObjectType } from '../../runtime/admission.js';
import { withFields } from '../../runtime/attribution.js';

const GROUP = 'admission.k8s.io';
const VERSIONS = ['v1', 'v1beta1'];
/** Set when an object is stored, so not there yet when it is mutated. */
const SET_BY_STORAGE = ['uid', 'creationTimestamp', 'generation'] as const;

/** What a webhook has said of a request. */
export interface Verdict {
  readonly allowed: boolean;
  readonly status: Partial<Status> | undefined;
  /** Base64; '' for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** An answer that is no AdmissionReview as it must be. */
export class InvalidResponseError extends Error {}

/** An object of the state in one of its versions. */
export function objectInVersion(kind: Kind, object: KubeObject | undefined): KubeObject | undefined {
  if (!object) return undefined;
  const whole = withFields(kind.storedAs?.kind ?? kind, object);
  const seen = kind.storedAs ? kind.storedAs.fromStorage(whole) : whole;
  return { ...seen, apiVersion: apiVersionOf(kind.group, kind.version), kind: kind.kind };
}

/** What was sent to a subresource; the options of a connection have no metadata. */
function sentBody({ operation, bodyType, object }: AdmissionRequest): KubeObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object!;
  const { group, version, kind } = bodyType!;
  return {
    kind,
    apiVersion: apiVersionOf(group, version),
    ...(operation === 'CONNECT' ? {} : { metadata }),
    ...rest,
  } as KubeObject;
}

/** The first version of the review that both sides know. */
export const chooseReviewVersion = (accepted: readonly string[]): string | undefined =>
  accepted.find((v) => VERSIONS.includes(v));

/**
 * The question. `mutating`: the object is shown as it is before it is named and stored. Models webhook/request
 * CreateV1AdmissionReview.
 */
export function createAdmissionReview(
  request: AdmissionRequest,
  kind: Kind,
  version: string,
  uid: string,
  mutating: boolean,
): object {
  const { requestKind, view, subresource, operation, user, old, dryRun } = request;
  const early = mutating && operation === 'CREATE';
  const body = request.bodyType ?? view?.type;
  const show = (object: KubeObject | undefined): object | undefined =>
    view && object ? view.show(object) : objectInVersion(kind, object);
  const seen = request.bodyType ? sentBody(request) : (show(request.object) as KubeObject | undefined);
  const object = early ? withoutStoredMetadata(seen) : seen;
  const name = early && request.object?.metadata.generateName ? '' : request.name;
  const namespace = request.kind === Namespaces ? request.name : request.namespace;
  return {
    kind: 'AdmissionReview',
    apiVersion: `${GROUP}/${version}`,
    request: {
      uid,
      kind: gvk(body ?? kind),
      resource: gvr(kind),
      ...(subresource ? { subResource: subresource } : {}),
      requestKind: gvk(body ?? requestKind),
      requestResource: gvr(requestKind),
      ...(subresource ? { requestSubResource: subresource } : {}),
      ...(name ? { name } : {}),
      ...(namespace ? { namespace } : {}),
      operation,
      userInfo: {
        username: user.name,
        ...(user.uid ? { uid: user.uid } : {}),
        groups: user.groups,
        ...(user.extra ? { extra: user.extra } : {}),
      },
      object: object ?? null,
      oldObject: show(old) ?? null,
      dryRun,
      options: optionsOf(request),
    },
  };
}

const gvk = ({ group, version, kind }: ObjectType): object => ({ group, version, kind });
const gvr = ({ group, version, plural }: Kind): object => ({ group, version, resource: plural });

function withoutStoredMetadata(object: KubeObject | undefined): KubeObject | undefined {
  if (!object?.metadata) return object;
  const metadata = { ...object.metadata };
  for (const field of SET_BY_STORAGE) delete metadata[field];
  if (metadata.generateName) delete metadata.name;
  return { ...object, metadata };
}

const OPTIONS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

function optionsOf({ operation, operationOptions, dryRun }: AdmissionRequest): object | null {
  if (operation === 'CONNECT') return null;
  return {
    kind: OPTIONS[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...operationOptions,
    ...(dryRun ? { dryRun: ['All'] } : {}),
  };
}

/** The answer, if it is one to this question. Throws InvalidAnswer. Models webhook/request VerifyAdmissionResponse. */
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
  const wanted = `${GROUP}/v1, Kind=AdmissionReview`;
  const given = `${String(answer['apiVersion'] ?? '/')}, Kind=${String(answer['kind'] ?? '')}`;
  if (given !== wanted) throw new InvalidResponseError(`expected webhook response of ${wanted}, got ${given}`);
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

/** Why the JSON is no review of the version; undefined when it is one. */
export function findDecodingError(answer: JsonObject, version: string): string | undefined {
  const { apiVersion, kind, response } = answer;
  if (typeof apiVersion === 'string' && typeof kind === 'string' && apiVersion && kind) {
    const [group, given = ''] = apiVersion.split('/');
    if (group !== GROUP || kind !== 'AdmissionReview' || !VERSIONS.includes(given))
      return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    if (given !== version)
      return `converting (${given}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`;
  }
  if (response === undefined || response === null) return undefined;
  if (!isObject(response))
    return `json: cannot unmarshal ${jsonType(response)} into Go struct field AdmissionReview.response of type ${version}.AdmissionResponse`;
  const wrong = Object.entries(FIELDS).find(
    ([field, type]) => response[field] !== undefined && response[field] !== null && jsonType(response[field]) !== type,
  )?.[0];
  return (
    wrong &&
    `json: cannot unmarshal ${jsonType(response[wrong]!)} into Go struct field AdmissionResponse.response.${wrong} of type ${GO_TYPES[wrong] ?? FIELDS[wrong]}`
  );
}

/** The error of a request that a webhook does not allow. Models webhook/errors ToStatusErr. */
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

export const callError = (name: string, why: string): ApiError =>
  internalError(`failed calling webhook ${JSON.stringify(name)}: ${why}`);
