import type { PodHttpAnswer, PodHttpRequest, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { admission, ALLOWED, type Decision } from '../../programs/review.js';
import { ingressesOf, isServed } from './ingresses.js';
import { selectionOf, type Look } from './nginx.js';
import { findDuplicate, isCanary, annotation } from './routes.js';

const SNIPPETS = ['server-snippet', 'configuration-snippet', 'auth-snippet', 'stream-snippet'];

/** The admission webhook: what would break the configuration of others is refused. Models CheckIngress. */
export const admitIngress = (request: PodHttpRequest, start: Start, { read }: Look): PodHttpAnswer =>
  admission(request, ({ object }) => {
    const ingress = object as unknown as Ingress | null;
    const selection = selectionOf(start);
    if (!ingress || !isServed(read, ingress, selection)) return ALLOWED;
    const snippet = SNIPPETS.find((name) => annotation(ingress, name) !== undefined);
    if (snippet !== undefined)
      return refused(
        `nginx.ingress.kubernetes.io/${snippet} annotation cannot be used. Snippet directives are disabled by the Ingress administrator`,
      );
    const same = isCanary(ingress) ? undefined : findDuplicate(ingress, ingressesOf(read, selection));
    if (!same) return ALLOWED;
    return refused(`host "${same.host || '_'}" and path "${same.path}" is already defined in ingress ${same.by}`);
  });

const refused = (message: string): Decision => ({ allowed: false, status: { code: 400, message } });
