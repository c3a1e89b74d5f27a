import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'WebhookTimeout',
  about: 'Admission webhooks do not answer in time.',
  symptoms: 'failed calling webhook …: context deadline exceeded, or failurePolicy Ignore lets the object pass',
  selects: 'cluster',
  lists: ['webhooks'],
  effects: ({ target: { webhooks } }) => [{ does: 'webhook', ...(webhooks ? { webhooks } : {}) }],
});
