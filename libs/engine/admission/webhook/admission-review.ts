import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import type { AdmissionRequest, ObjectType } from '../../runtime/admission.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';

export const REVIEW_GROUP = 'admission.k8s.io';
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];
/** The registry sets these fields when it stores an object, after mutating admission. */
const SET_BY_STORAGE = ['uid', 'creationTimestamp', 'generation'] as const;

/** A stored object, with its managed fields, in the version that `kind` is. */
export function objectInVersion(kind: Kind, object: KubeObject | undefined): KubeObject | undefined {
  if (!object) return undefined;
  const stored = completeManagedFields(kind.storedAs?.kind ?? kind, object);
  const converted = kind.storedAs ? kind.storedAs.fromStorage(stored) : stored;
  return { ...converted, apiVersion: apiVersionOf(kind.group, kind.version), kind: kind.kind };
}

/** The body of a request to a subresource: a Binding, an Eviction, PodExecOptions. Options have no metadata. */
function requestBody({ operation, bodyType, object }: AdmissionRequest): KubeObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object!;
  const { group, version, kind } = bodyType!;
  return {
    kind,
    apiVersion: apiVersionOf(group, version),
    ...(operation === 'CONNECT' ? {} : { metadata }),
    ...rest,
  } as KubeObject;
}

/** The first AdmissionReview version of a webhook's list that the server knows; undefined when it knows none. */
export const chooseReviewVersion = (accepted: readonly string[]): string | undefined =>
  accepted.find((v) => REVIEW_VERSIONS.includes(v));

/**
 * The AdmissionReview that a webhook is sent. A mutating webhook (`mutating`) sees an object that is created without
 * the fields that storage sets, and without a generated name. Models apiserver/pkg/admission/plugin/webhook/request
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
  const beforeStorage = mutating && operation === 'CREATE';
  const type = request.bodyType ?? view?.type;
  const show = (object: KubeObject | undefined): object | undefined =>
    view && object ? view.show(object) : objectInVersion(kind, object);
  const whole = request.bodyType ? requestBody(request) : (show(request.object) as KubeObject | undefined);
  const object = beforeStorage ? withoutStoredMetadata(whole) : whole;
  const name = beforeStorage && request.object?.metadata.generateName ? '' : request.name;
  const namespace = request.kind === Namespaces ? request.name : request.namespace;
  return {
    kind: 'AdmissionReview',
    apiVersion: `${REVIEW_GROUP}/${version}`,
    request: {
      uid,
      kind: gvk(type ?? kind),
      resource: gvr(kind),
      ...(subresource ? { subResource: subresource } : {}),
      requestKind: gvk(type ?? requestKind),
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
