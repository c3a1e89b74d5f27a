import type { Reader } from '@terrarium/engine';
import { GROUP, ReferenceGrants } from './resources.js';

export interface Referrer {
  readonly kind: string;
  readonly namespace: string;
}

/** Whether objects of one namespace may name one of another. */
export function isGranted(
  read: Reader,
  { kind, namespace }: Referrer,
  to: { readonly kind: 'Service' | 'Secret'; readonly namespace: string; readonly name: string },
): boolean {
  if (namespace === to.namespace) return true;
  return read
    .list(ReferenceGrants, to.namespace)
    .some(
      ({ spec }) =>
        spec.from.some((one) => one.group === GROUP && one.kind === kind && one.namespace === namespace) &&
        spec.to.some(
          (one) =>
            (one.group === '' || one.group === 'core') &&
            one.kind === to.kind &&
            (one.name === undefined || one.name === '' || one.name === to.name),
        ),
    );
}
