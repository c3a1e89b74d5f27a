import type { Reader, User } from '../../machinery/client.js';
import { makeAccess } from '../../machinery/requests/auth.js';
import { authorize } from './authorizer.js';

/**
 * A role may name the signer or all of its domain: 'kubernetes.io/*'. Models pkg/certauthorization
 * IsAuthorizedForSignerName.
 */
export const isAuthorizedForSignerName = (
  user: User,
  verb: 'approve' | 'sign',
  signerName: string,
  read: Reader,
): boolean =>
  [signerName, `${signerName.split('/')[0]}/*`].some(
    (name) =>
      authorize(user, makeAccess(verb, { group: 'certificates.k8s.io', resource: 'signers', name }), read).allowed,
  );
