import type { Reader } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { IngressClasses, Ingresses } from '../../../engine/kinds/index.js';

/** Which Ingresses a controller serves. */
export interface Selection {
  /** IngressClass.spec.controller. */
  readonly controller: string;
  /** The annotation of before there were classes. */
  readonly className: string;
  readonly takesWithoutClass: boolean;
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
}

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** The Ingresses that a controller serves, the oldest first: of two for one path that one counts. */
export function ingressesOf(read: Reader, selection: Selection): Ingress[] {
  return read
    .list(Ingresses, selection.namespace)
    .filter((ingress) => isServed(read, ingress, selection))
    .sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
}

const ageOf = ({ metadata }: Ingress): string => `${metadata.creationTimestamp}/${metadata.namespace}/${metadata.name}`;

export function isServed(read: Reader, { metadata, spec }: Ingress, selection: Selection): boolean {
  const { ingressClassName } = spec;
  if (ingressClassName !== undefined && ingressClassName !== null) {
    const found = read.get(IngressClasses, { namespace: '', name: ingressClassName });
    return found?.spec.controller === selection.controller;
  }
  const annotated = metadata.annotations?.[CLASS_ANNOTATION];
  return annotated === undefined ? selection.takesWithoutClass : annotated === selection.className;
}
