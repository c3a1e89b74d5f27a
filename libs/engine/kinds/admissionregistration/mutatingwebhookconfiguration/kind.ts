import type { MutatingWebhookConfiguration } from '../../../api/admissionregistration_v1.js';
import { defineKind } from '../../../machinery/kind.js';
import { defaultWebhook, validateWebhooks, webhookColumns } from '../webhooks.js';

/** Models pkg/registry/admissionregistration/mutatingwebhookconfiguration. */
export const kind = defineKind<MutatingWebhookConfiguration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  singular: 'mutatingwebhookconfiguration',
  categories: ['api-extensions'],
  scope: 'Cluster',
  needsVersion: true,
  definition: 'io.k8s.api.admissionregistration.v1.MutatingWebhookConfiguration',
  generation: true,
  columns: webhookColumns,
  defaults(draft) {
    if (draft.webhooks)
      draft.webhooks = draft.webhooks.map((hook) => ({ reinvocationPolicy: 'Never', ...defaultWebhook(hook) }));
  },
  validate: ({ webhooks }) => validateWebhooks(webhooks),
});
