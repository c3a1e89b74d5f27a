import { type Access, type Decision, makeAccess } from '../../machinery/requests/auth.js';
import { authorize, isSuperuser } from '../../auth/authorization/authorizer.js';
import type { Reader, User } from '../../machinery/client.js';
import type { Kind } from '../../machinery/kind.js';
import { ApiError, forbidden } from '../../machinery/meta/status.js';
import type { RequestInfo } from './requestinfo.js';

/** Throws 403. Models apiserver/pkg/endpoints/filters/authorization.go WithAuthorization. */
export function authorizeRequest(user: User, info: RequestInfo, read: Reader): void {
  if (!isSuperuser(user)) requireAccess(user, accessOf(info), read);
}

/** The attributes that the authorizer decides on. Models apiserver/pkg/endpoints/filters GetAuthorizerAttributes. */
export function accessOf(info: RequestInfo): Access {
  if (!info.isResourceRequest) return makeAccess(info.verb, { path: info.path });
  const { verb, apiGroup: group, resource, subresource, namespace, name, fieldSelector } = info;
  return { verb, group, resource, subresource, namespace, name, ...(fieldSelector ? { fieldSelector } : {}) };
}

/** The parts of a Call that name the object to be created, and its user. */
interface Creation {
  readonly request: { readonly user: User };
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly server: { readonly state: Reader };
}

/** An update or an apply that creates the object needs the right to create, too. Throws 403. */
export function requireCreate({ request: { user }, kind, namespace, name, server }: Creation): void {
  if (isSuperuser(user)) return;
  requireAccess(
    user,
    makeAccess('create', { group: kind.group, resource: kind.plural, namespace, name }),
    server.state,
  );
}

/**
 * A connection into a pod is a creation, also by a WebSocket, whose request is a GET. Throws 403.
 * Models pkg/registry/core/pod/rest ensureAuthorizedForVerb.
 */
export function requireCreateOfConnection(call: Creation & { readonly subresource: string }): void {
  const { kind, namespace, name, subresource, server } = call;
  const { user } = call.request;
  if (isSuperuser(user)) return;
  const access = makeAccess('create', { group: kind.group, resource: kind.plural, subresource, namespace, name });
  requireAccess(user, access, server.state);
}

function requireAccess(user: User, access: Access, read: Reader): void {
  const decision = authorize(user, access, read);
  if (!decision.allowed) throw accessError(user, access, decision);
}

/** 403 in upstream's words. Models apiserver/pkg/endpoints/handlers/responsewriters Forbidden. */
export function accessError(user: User, access: Access, { reason }: Decision): ApiError {
  const message = forbiddenMessage(user, access);
  const detail = reason ? `${message}: ${reason}` : message;
  if (access.path !== undefined) return new ApiError(403, 'Forbidden', `forbidden: ${detail}`, {});
  return forbidden({ group: access.group, plural: access.resource }, access.name, detail);
}

/** Models responsewriters forbiddenMessage. */
function forbiddenMessage(user: User, { verb, path, group, resource, subresource, namespace }: Access): string {
  const q = JSON.stringify;
  if (path !== undefined) return `User ${q(user.name)} cannot ${verb} path ${q(path)}`;
  const scope = namespace ? `in the namespace ${q(namespace)}` : 'at the cluster scope';
  const fullResource = subresource ? `${resource}/${subresource}` : resource;
  return `User ${q(user.name)} cannot ${verb} resource ${q(fullResource)} in API group ${q(group)} ${scope}`;
}
