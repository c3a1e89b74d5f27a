import type { TokenRequest } from '../../../api/authentication_v1.js';
import type { ServiceAccount } from '../../../api/core_v1.js';
import { ageColumn, integer, nameColumn } from '../../../machinery/columns.js';
import { defineKind, type ActionRequest } from '../../../machinery/kind.js';
import { invalidValue, Path } from '../../../machinery/field.js';
import { invalid } from '../../../machinery/status.js';
import { SECOND, timestamp } from '../../../machinery/time.js';
import { serviceAccountToken } from './token.js';

const DEFAULT_SECONDS = 3600;
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const TOKEN_REQUEST = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' };

/** POST of serviceaccounts/token: an answer that is not stored. Models pkg/registry/core/serviceaccount/storage/token.go. */
function requestToken({ object, body, context }: ActionRequest<ServiceAccount>): TokenRequest {
  const request = body as TokenRequest;
  const seconds = request.spec?.expirationSeconds ?? DEFAULT_SECONDS;
  const path = Path.of('spec', 'expirationSeconds');
  if (seconds < MIN_SECONDS) throw invalid(TOKEN_REQUEST, '', [invalidValue(path, seconds, 'may not specify a duration less than 10 minutes')]);
  if (seconds > MAX_SECONDS) throw invalid(TOKEN_REQUEST, '', [invalidValue(path, seconds, 'may not specify a duration larger than 2^32 seconds')]);
  const audiences = request.spec?.audiences?.length ? request.spec.audiences : undefined;
  const expires = context.now + seconds * SECOND;
  return {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: object.metadata.name, namespace: object.metadata.namespace, creationTimestamp: timestamp(context.now) },
    spec: { ...request.spec, audiences: audiences ?? ['https://kubernetes.default.svc.cluster.local'], expirationSeconds: seconds },
    status: { token: serviceAccountToken(object, { audiences, issued: context.now, expires, id: context.random.uuid(), bound: request.spec?.boundObjectRef }), expirationTimestamp: timestamp(expires) },
  } as TokenRequest;
}

export const kind = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.core.v1.ServiceAccount',
  subresources: {
    actions: { token: { verbs: ['create'], kind: TOKEN_REQUEST, body: 'io.k8s.api.authentication.v1.TokenRequest', handle: requestToken } },
  },
  columns: [nameColumn, integer('Secrets', 'How many secrets pods of this account may mount.', (a) => a.secrets?.length), ageColumn],
});
