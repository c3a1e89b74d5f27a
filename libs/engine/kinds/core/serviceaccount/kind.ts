import type { ServiceAccount } from '../../../api/core_v1.js';
import { ageColumn, nameColumn } from '../../../machinery/meta/columns.js';
import { defineKind } from '../../../machinery/kind.js';
import { requestToken, TOKEN_REQUEST } from './tokenrequest.js';

export const kind = defineKind<ServiceAccount>({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  singular: 'serviceaccount',
  shortNames: ['sa'],
  scope: 'Namespaced',
  returnsDeleted: true,
  definition: 'io.k8s.api.core.v1.ServiceAccount',
  subresources: {
    actions: {
      token: {
        verbs: ['create'],
        kind: TOKEN_REQUEST,
        body: 'io.k8s.api.authentication.v1.TokenRequest',
        handle: (request) => requestToken(request),
      },
    },
  },
  columns: [nameColumn, ageColumn],
});
