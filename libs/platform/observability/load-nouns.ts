import { z } from 'zod';

/** What the service does, as the metrics of the process that answers say it. Counters grow since it started. */
export const ServiceLoad = z
  .object({
    at: z.string().meta({ description: 'RFC 3339.' }),
    tasks: z.record(z.string(), z.number()).meta({
      description: 'Of the whole queue, by state: waiting, active, delayed, failed. Empty: it does not answer.',
    }),
    warmClusters: z.number().meta({ description: 'Clusters in memory: those that are used.' }),
    warmBytes: z.number(),
    listeners: z.number().meta({ description: 'Watches, followed logs and subscriptions.' }),
    openRequests: z.number(),
    requests: z.number().meta({ description: 'To clusters, so far.' }),
    refused: z.number().meta({ description: 'Requests, so far.' }),
    changes: z.number().meta({ description: 'Of objects that were stored, so far.' }),
    cpuSeconds: z.number().meta({ description: 'Of this process, so far.' }),
    residentBytes: z.number(),
  })
  .meta({ id: 'ServiceLoad' });
export type ServiceLoad = z.infer<typeof ServiceLoad>;
