import type { Secret } from '../../../api/core_v1.js';
import { ageColumn, column, count, nameColumn } from '../../../machinery/meta/columns.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { defineKind } from '../../../machinery/kind.js';
import { secretWarnings, validateSecret, validateSecretUpdate } from './validation.js';

export const kind = defineKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  scope: 'Namespaced',
  definition: 'io.k8s.api.core.v1.Secret',
  fieldSelectors: { type: (s) => s.type ?? '' },
  columns: [
    nameColumn,
    column('Type', 'What the data means.', (s) => s.type ?? ''),
    count('Data', 'How many keys it has.', (s) => Object.keys(s.data ?? {}).length),
    ageColumn,
  ],
  defaults(draft) {
    if (!draft.type) draft.type = 'Opaque';
    if (!draft.stringData) return;
    const encoded = Object.entries(draft.stringData).map(([key, text]) => [key, encodeBase64(text)] as const);
    draft.data = { ...draft.data, ...Object.fromEntries(encoded) };
    delete draft.stringData;
  },
  validate: validateSecret,
  validateUpdate: validateSecretUpdate,
  warnings: secretWarnings,
});
