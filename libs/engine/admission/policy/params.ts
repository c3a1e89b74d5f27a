import type { ParamKind, ParamRef } from '../../api/admissionregistration_v1.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { AdmissionRequest } from '../../runtime/admission.js';

/** A policy or binding that cannot be evaluated; the policy's failurePolicy says whether that denies the request. */
export class ConfigurationError extends Error {}

/**
 * The parameter objects of a binding; `[null]` for a policy without a paramKind. Throws ConfigurationError. Models
 * apiserver/pkg/admission/plugin/policy/generic CollectParams.
 */
export function collectParams(
  paramKind: ParamKind | undefined,
  ref: ParamRef | undefined,
  request: AdmissionRequest,
): readonly (KubeObject | null)[] {
  if (!paramKind || !ref) return [null];
  const kind = request.client.kindFor(paramKind.apiVersion ?? '', paramKind.kind ?? '');
  if (!kind)
    throw new ConfigurationError(
      `failed to find resource referenced by paramKind: '${paramKind.apiVersion}, Kind=${paramKind.kind}'`,
    );
  const namespace = paramsNamespace(kind, ref, request);
  const params = ref.name
    ? [request.client.get(kind, { namespace, name: ref.name })].filter((o) => o !== undefined)
    : request.client
        .list(kind, kind.scope === 'Namespaced' ? namespace : undefined)
        .filter((o) => matchesLabelSelector(ref.selector, o.metadata.labels));
  if (params.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return params.map((o) => kind.storedAs?.fromStorage(o) ?? o);
}

function paramsNamespace(kind: Kind, ref: ParamRef, request: AdmissionRequest): string {
  if (kind.scope === 'Cluster') {
    if (ref.namespace)
      throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
    return '';
  }
  const namespace = ref.namespace || request.namespace;
  if (!namespace)
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  return namespace;
}
