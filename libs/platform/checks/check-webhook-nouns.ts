import { z } from 'zod';
import { long } from '../long.js';

const MAX_URL = 2_048;

export const CheckWebhookUrl = z
  .strictObject({
    url: z.string().max(MAX_URL).default('').meta({ description: 'https://…; where results are sent.' }),
  })
  .meta({ id: 'CheckWebhookUrl' });
export type CheckWebhookUrl = z.infer<typeof CheckWebhookUrl>;

export const CheckWebhook = z
  .strictObject({
    url: z.string(),
    sentRevision: long().meta({ description: 'Results up to this revision of the cluster were received.' }),
    failures: z.int().meta({ description: 'So often in turn the last delivery has failed.' }),
    error: z.string().optional().meta({ description: 'Why.' }),
    nextAttempt: z.string().optional().meta({ description: 'When it is tried again.' }),
    secret: z.string().optional().meta({ description: 'Signs what is sent. Shown once, when it is set.' }),
  })
  .meta({ id: 'CheckWebhook' });
export type CheckWebhook = z.infer<typeof CheckWebhook>;
