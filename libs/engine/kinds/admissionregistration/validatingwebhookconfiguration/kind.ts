import type { ValidatingWebhookConfiguration } from '../../../api/admissionregistration_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { defaultWebhook, validateWebhooks, webhookColumns } from '../webhooks.js';

/** Models pkg/registry/admissionregistration/validatingwebhookconfiguration. */
export const kind = defineKind<ValidatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  singular: 'validatingwebhookconfiguration',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.ValidatingWebhookConfiguration',
  generation: true,
  columns: webhookColumns,
  defaults(draft) {
    if (draft.webhooks) draft.webhooks = draft.webhooks.map(defaultWebhook);
  },
  validate: ({ webhooks }) => validateWebhooks(webhooks),
});
