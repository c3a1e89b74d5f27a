import type { BoundObjectReference, TokenRequest } from '../../../api/authentication_v1.js';
import type { Pod, ServiceAccount } from '../../../api/core_v1.js';
import type { ObjectMeta } from '../../../api/meta_v1.js';
import { invalidValue, Path, type FieldError } from '../../../machinery/meta/field.js';
import type { ActionRequest, Kind } from '../../../machinery/kind.js';
import { ApiError, badRequest, conflict, invalid, notFound } from '../../../machinery/meta/status.js';
import { hash32, SeededRandom } from '../../../machinery/random.js';
import { SECOND, timestamp } from '../../../machinery/time/time.js';
import { kind as Nodes } from '../node/kind.js';
import { kind as Pods } from '../pod/kind.js';
import { kind as Secrets } from '../secret/kind.js';
import { ISSUER, type TokenOptions } from '../../../machinery/requests/auth.js';

export const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** The kinds of objects that a token may be bound to. */
const BINDABLE: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['Pod', Pods],
  ['Secret', Secrets],
  ['Node', Nodes],
]);
const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;

/**
 * POST of serviceaccounts/token: the answer is not stored. Models pkg/registry/core/serviceaccount/storage/token.go.
 */
export function requestToken(request: ActionRequest<ServiceAccount>): TokenRequest {
  const { object: account, context } = request;
  const body = request.body as TokenRequest;
  validateMetadata(body.metadata ?? {}, account);
  const spec = body.spec ?? {};
  const seconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
  const errors = validateExpirationSeconds(seconds);
  if (errors.length) throw invalid(TOKEN_REQUEST, '', errors);
  const audiences = spec.audiences?.length ? spec.audiences : [ISSUER];
  const expires = context.now + seconds * SECOND;
  const bound = spec.boundObjectRef ? findBoundObject(spec.boundObjectRef, request) : undefined;
  const token = context.auth.issueToken(account, {
    audiences,
    issued: context.now,
    expires,
    // A request that writes nothing does not take the cluster's chance any further.
    id: new SeededRandom(
      hash32(`${account.metadata.uid} ${JSON.stringify(spec)}`, context.random.below(2 ** 32)),
      context.now,
    ).uuid(),
    bound,
  });
  if (token === undefined) throw new ApiError(404, 'NotFound', 'the server could not find the requested resource');
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: account.metadata.name,
      namespace: account.metadata.namespace,
      creationTimestamp: timestamp(context.now),
    },
    spec: { ...spec, audiences, expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp(expires) },
  } as TokenRequest;
}

/** Models pkg/apis/authentication/validation ValidateTokenRequest. */
function validateExpirationSeconds(seconds: number): FieldError[] {
  const path = Path.of('spec', 'expirationSeconds');
  if (seconds < MIN_SECONDS) return [invalidValue(path, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > MAX_SECONDS)
    return [invalidValue(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

/** Throws ApiError when the request names another ServiceAccount than the one in its URL. */
function validateMetadata({ name: wanted, namespace, uid }: ObjectMeta, { metadata }: ServiceAccount): void {
  const { name = '' } = metadata;
  if (wanted && wanted !== name)
    throw invalid(TOKEN_REQUEST, name, [
      invalidValue(Path.of('metadata', 'name'), wanted, 'must match the service account name if specified'),
    ]);
  if (namespace && namespace !== metadata.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (uid && uid !== metadata.uid)
    throw conflict(
      { ...TOKEN_REQUEST, plural: 'TokenRequest' },
      name,
      `the UID in the token request (${uid}) does not match the UID of the service account (${metadata.uid})`,
    );
}

/** The object that the token is bound to. Throws ApiError when it does not exist, or has another uid. */
function findBoundObject(
  { apiVersion, kind, name = '', uid }: BoundObjectReference,
  { object: account, context }: ActionRequest<ServiceAccount>,
): TokenOptions['bound'] {
  const { namespace = '', name: accountName = '' } = account.metadata;
  const read = context.read;
  const [group, version] = apiVersion?.includes('/') ? apiVersion.split('/') : ['', apiVersion ?? ''];
  const resource = group === '' ? BINDABLE.get(kind ?? '') : undefined;
  if (!resource) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind ?? ''}`);
  if (!name) throw badRequest('Name parameter required.');
  const found = read.get(resource, { namespace: kind === 'Node' ? '' : namespace, name });
  if (!found) throw notFound(resource, name);
  if (uid && uid !== found.metadata.uid)
    throw conflict(
      { group: '', plural: kind ?? '' },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  const reference = { name, uid: found.metadata.uid };
  if (kind === 'Secret') return { secret: reference };
  if (kind === 'Node') return { node: reference };
  const { serviceAccountName, nodeName } = (found as unknown as Pod).spec;
  if (serviceAccountName !== accountName)
    throw badRequest(
      `cannot bind token for serviceaccount "${accountName}" to pod running with different serviceaccount name.`,
    );
  const node = nodeName ? read.get(Nodes, { namespace: '', name: nodeName }) : undefined;
  return {
    ...(nodeName ? { node: { name: nodeName, ...(node ? { uid: node.metadata.uid } : {}) } } : {}),
    pod: reference,
  };
}
