import type { PodHttpAnswer, PodHttpRequest, Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../../../engine/api/networking_v1.js';
import { admission, ALLOWED, type Decision } from '../../../../programs/review.js';
import { ingressesOf, isServed } from '../../ingresses.js';
import { annotation, invalidAnnotation, isCanary } from './annotations.js';
import { selectionOf } from './plan.js';
import { findDuplicate } from '../routes.js';

const SNIPPETS = ['server-snippet', 'configuration-snippet', 'auth-snippet', 'stream-snippet'];

/** The admission webhook: what would break the configuration of others is refused. Models CheckIngress. */
export const admitIngress = (request: PodHttpRequest, start: Start, read: Reader): PodHttpAnswer =>
  admission(request, ({ object }) => {
    const ingress = object as unknown as Ingress | null;
    const selection = selectionOf(start);
    if (!ingress || !isServed(read, ingress, selection)) return ALLOWED;
    const snippet = SNIPPETS.find((name) => annotation(ingress, name) !== undefined);
    if (snippet !== undefined)
      return refused(
        `nginx.ingress.kubernetes.io/${snippet} annotation cannot be used. Snippet directives are disabled by the Ingress administrator`,
      );
    const invalid = invalidAnnotation(ingress);
    if (invalid !== undefined) return refused(`annotation ${invalid} contains invalid value`);
    const same = isCanary(ingress) ? undefined : findDuplicate(ingress, ingressesOf(read, selection));
    if (!same) return ALLOWED;
    return refused(`host "${same.host || '_'}" and path "${same.path}" is already defined in ingress ${same.by}`);
  });

const refused = (message: string): Decision => ({ allowed: false, status: { code: 400, message } });
