import type { EndpointPort, EndpointSlice } from '../../../api/discovery_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { ageColumn, listWithMoreString, nameColumn, text } from '../../columns.js';
import { validateSlice, validateSliceUpdate } from './validation.js';

const UNSET = '<unset>';
const SHOWN = 3;

/** Models pkg/registry/discovery/endpointslice. */
export const kind = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  singular: 'endpointslice',
  scope: 'Namespaced',
  definition: 'io.k8s.api.discovery.v1.EndpointSlice',
  generation: true,
  columns: [
    nameColumn,
    text('AddressType', (s) => s.addressType),
    text('Ports', (s) => listWithMoreString((s.ports ?? []).map(portText), SHOWN, UNSET)),
    text('Endpoints', (s) =>
      listWithMoreString(
        (s.endpoints ?? []).flatMap((e) => e.addresses),
        SHOWN,
        UNSET,
      ),
    ),
    ageColumn,
  ],
  defaults(draft) {
    if (draft.ports?.some((p) => p.name === undefined || p.protocol === undefined)) {
      draft.ports = draft.ports.map((p) => ({ ...p, name: p.name ?? '', protocol: p.protocol ?? 'TCP' }));
    }
  },
  validate: validateSlice,
  validateUpdate: validateSliceUpdate,
  warnings: ({ addressType }, old) =>
    addressType === 'FQDN' && !old ? ['spec.addressType: FQDN endpoints are deprecated'] : [],
});

const portText = ({ name, port }: EndpointPort): string => (port === undefined ? (name ?? '*') : String(port));
