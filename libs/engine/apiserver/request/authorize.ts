import { type Access, type Decision, makeAccess } from '../../machinery/auth.js';
import { authorize, isSuperuser } from '../../auth/authorization/authorizer.js';
import type { Reader, User } from '../../machinery/client.js';
import type { ApiRequest } from '../../machinery/http.js';
import { ApiError, forbidden } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';
import { accessOf } from './requestinfo.js';

/** May this user make this request? Throws 403. */
export function authorizeRequest(user: User, request: ApiRequest, read: Reader): void {
  if (!isSuperuser(user)) requireAccess(user, accessOf(request), read);
}

/** An update or a patch that creates needs the right to create, too. Throws 403. */
export function requireCreate({ request: { user }, kind, namespace, name, server }: Call): void {
  if (!isSuperuser(user))
    requireAccess(
      user,
      makeAccess('create', { group: kind.group, resource: kind.plural, namespace, name }),
      server.state,
    );
}

/** Throws 403. */
export function requireAccess(user: User, access: Access, read: Reader): void {
  const decision = authorize(user, access, read);
  if (!decision.allowed) throw accessError(user, access, decision);
}

/** 403 in upstream's words. Models apiserver/pkg/endpoints/handlers/responsewriters ForbiddenStatusError. */
export function accessError(user: User, access: Access, { reason }: Decision): ApiError {
  const why = reason ? `${complaint(user, access)}: ${reason}` : complaint(user, access);
  if (access.path !== undefined) return new ApiError(403, 'Forbidden', `forbidden: ${why}`, {});
  return forbidden({ group: access.group, plural: access.resource }, access.name, why);
}

function complaint(user: User, { verb, path, group, resource, subresource, namespace }: Access): string {
  const q = JSON.stringify;
  if (path !== undefined) return `User ${q(user.name)} cannot ${verb} path ${q(path)}`;
  const where = namespace ? `in the namespace ${q(namespace)}` : 'at the cluster scope';
  return `User ${q(user.name)} cannot ${verb} resource ${q(subresource ? `${resource}/${subresource}` : resource)} in API group ${q(group)} ${where}`;
}
