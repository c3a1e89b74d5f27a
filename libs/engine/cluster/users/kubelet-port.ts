import type { Node } from '../../api/core_v1.js';
import { authenticateCertificate } from '../../auth/authentication/certificates.js';
import { authorize } from '../../auth/authorization/authorizer.js';
import { configurationOf } from '../../kinds/terrarium/noderuntime/kind.js';
import type { Reader, User } from '../../machinery/client.js';
import type { Authority } from '../../machinery/crypto/x509/authority.js';
import { makeAccess } from '../../machinery/requests/auth.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../machinery/requests/http.js';
import type { Millis } from '../../machinery/time/time.js';

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const UNAUTHORIZED: PodHttpAnswer = { status: 401, headers: TEXT, body: 'Unauthorized' };
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
/** What the path asks for, beside nodes/proxy. Models pkg/kubelet/server/auth.go. */
const SUBRESOURCES: readonly (readonly [path: RegExp, names: readonly string[]])[] = [
  [/^\/stats(?:\/|$)/, ['stats']],
  [/^\/metrics(?:\/|$)/, ['metrics']],
  [/^\/logs(?:\/|$)/, ['log']],
  [/^\/pods\/?$/, ['pods', 'proxy']],
  [/^\/runningpods\/?$/, ['pods', 'proxy']],
  [/^\/healthz(?:\/|$)/, ['healthz', 'proxy']],
  [/^\/configz\/?$/, ['configz', 'proxy']],
];

interface KubeletPort {
  readonly read: Reader;
  /** Of certificates of clients; undefined in a cluster without keys. */
  readonly authority: Authority | undefined;
  /** What the kubelet says to whom it lets in. */
  serve(node: Node, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string };
}

/**
 * A kubelet's port as others reach it: it asks who that is, by a certificate, and whether RBAC lets him. Models
 * pkg/kubelet/server/server.go InstallAuthFilter. Left out: tokens, which are refused.
 */
export function serveKubeletPort(
  { read, authority, serve }: KubeletPort,
  node: Node,
  request: PodHttpRequest,
  now: Millis,
): PodHttpAnswer {
  const { name = '' } = node.metadata;
  const { authentication, authorization } = configurationOf(read, name);
  const shown = request.clientCertificate;
  const found = shown && authority ? authenticateCertificate(authority, shown, now) : undefined;
  const user = typeof found === 'object' ? found : authentication?.anonymous.enabled && !shown ? ANONYMOUS : undefined;
  if (user === undefined) return UNAUTHORIZED;
  const path = request.path.split('?', 1)[0]!;
  const subresources = SUBRESOURCES.find(([pattern]) => pattern.test(path))?.[1] ?? ['proxy'];
  const isAllowed = subresources.some(
    (subresource) => authorize(user, makeAccess('get', { resource: 'nodes', subresource, name }), read).allowed,
  );
  if (!isAllowed && authorization?.mode !== 'AlwaysAllow') {
    const body = `Forbidden (user=${user.name}, verb=get, resource=nodes, subresource(s)=[${subresources.join(' ')}])`;
    return { status: 403, headers: TEXT, body };
  }
  const answer = serve(node, request, now);
  return 'error' in answer ? { status: 503 } : answer;
}
