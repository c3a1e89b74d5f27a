import type { Ingress } from '../../../../engine/api/networking_v1.js';
import type { AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import type { ProxyRequest } from '../../proxy/proxy.js';
import { annotation, isOn, numberOf } from './config/annotations.js';
import { page } from './pages.js';

/** What an Ingress answers by itself, before anything else is looked at. Models nginx.tmpl, in the order of nginx. */
export function redirect(
  { scheme, headers, path }: ProxyRequest,
  ingress: Ingress,
  host: string,
  hasCertificate: boolean,
): AnswerParts | undefined {
  const root = annotation(ingress, 'app-root');
  if (root !== undefined && path.split('?', 1)[0] === '/')
    return page(302, { location: `${scheme}://${headers['host'] ?? ''}${root}` });
  const temporal = annotation(ingress, 'temporal-redirect');
  if (temporal !== undefined) return page(codeOf(ingress, 'temporal-redirect-code', 302), { location: temporal });
  const permanent = annotation(ingress, 'permanent-redirect');
  if (permanent !== undefined) return page(codeOf(ingress, 'permanent-redirect-code', 301), { location: permanent });
  if (scheme !== 'http') return undefined;
  const isForced = isOn(ingress, 'force-ssl-redirect');
  if (!isForced && !(hasCertificate && annotation(ingress, 'ssl-redirect') !== 'false')) return undefined;
  const keepsSlash = isOn(ingress, 'preserve-trailing-slash');
  return page(308, { location: `https://${host}${keepsSlash ? path : path.replace(/\/$/, '')}` });
}

/** A code of a redirection; any other number is not obeyed. */
function codeOf(ingress: Ingress, name: string, otherwise: number): number {
  const code = numberOf(ingress, name) ?? otherwise;
  return code >= 300 && code <= 308 ? code : otherwise;
}
