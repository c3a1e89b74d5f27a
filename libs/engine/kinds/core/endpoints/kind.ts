import type { Endpoints } from '../../../api/core_v1.js';
import { ageColumn, column, nameColumn, NONE } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { joinHostPort } from '../../../machinery/net/netip.js';
import { validateEndpoints } from './validation.js';

const MAX_SHOWN = 3;

function endpointsCell({ subsets = [] }: Endpoints): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length ? ports.flatMap((p) => addresses.map((a) => joinHostPort(a.ip, p.port))) : addresses.map((a) => a.ip),
  );
  if (subsets.length === 0) return NONE;
  const shown = all.slice(0, MAX_SHOWN).join(',');
  return all.length > MAX_SHOWN ? `${shown} + ${all.length - MAX_SHOWN} more...` : shown;
}

export const kind = defineKind<Endpoints>({
  group: '',
  version: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  scope: 'Namespaced',
  createOnUpdate: true,
  definition: 'io.k8s.api.core.v1.Endpoints',
  columns: [nameColumn, column('Endpoints', 'Addresses and ports that are ready.', endpointsCell), ageColumn],
  defaults(draft) {
    for (const { ports } of draft.subsets ?? [])
      for (const port of ports ?? []) if (!port.protocol) port.protocol = 'TCP';
  },
  validate: validateEndpoints,
  deprecation: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
});
