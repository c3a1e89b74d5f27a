import type { Ingress } from '../../../api/networking_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, listWithMoreString, nameColumn, NONE, text } from '../../columns.js';
import { validateIngress, validateIngressClassAnnotation, validateIngressStatus } from './validation.js';

const LOAD_BALANCER_WIDTH = 16;
const HOSTS_SHOWN = 3;

/** Models pkg/registry/networking/ingress. */
export const kind = defineKind<Ingress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  singular: 'ingress',
  shortNames: ['ing'],
  scope: 'Namespaced',
  definition: 'io.k8s.api.networking.v1.Ingress',
  subresources: { status: true },
  columns: [
    nameColumn,
    text('Class', (i) => i.spec.ingressClassName ?? NONE),
    text('Hosts', hosts),
    text('Address', address),
    text('Ports', (i) => (i.spec.tls?.length ? '80, 443' : '80')),
    ageColumn,
  ],
  prepareForCreate(draft) {
    draft.status = { loadBalancer: {} };
  },
  prepareForUpdate(draft, old) {
    draft.status = old.status;
  },
  prepareForStatusUpdate(draft, old) {
    draft.spec = old.spec;
  },
  validate: (ingress) => [
    ...validateIngress(ingress),
    ...(isNew(ingress) ? validateIngressClassAnnotation(ingress) : []),
  ],
  validateStatusUpdate: validateIngressStatus,
});

/** The annotation and the field may contradict each other in objects that were made before the check. */
const isNew = (ingress: Ingress): boolean => !ingress.metadata.resourceVersion;

function hosts(ingress: Ingress): string {
  const rules = ingress.spec.rules ?? [];
  return listWithMoreString(
    rules.flatMap((r) => (r.host ? [r.host] : [])),
    HOSTS_SHOWN,
    '*',
  );
}

function address(ingress: Ingress): string {
  const points = (ingress.status.loadBalancer?.ingress ?? []).flatMap((p) => p.ip || p.hostname || []);
  const all = [...new Set(points)].sort().join(',');
  return all.length > LOAD_BALANCER_WIDTH ? `${all.slice(0, LOAD_BALANCER_WIDTH - 3)}...` : all;
}
