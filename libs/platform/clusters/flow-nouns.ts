import { z } from 'zod';
import { long } from '../long.js';

/** What is asked; the cluster itself says what is wrong. */
export const FlowQuery = z.strictObject({
  since: z.string().max(40).optional().meta({ description: 'A time as RFC 3339; by default two minutes ago.' }),
  limit: z.coerce.number().int().min(1).max(500).optional().meta({ description: 'By default 100.' }),
});
export type FlowQuery = z.infer<typeof FlowQuery>;

export const Flow = z
  .strictObject({
    id: z.string().meta({ description: 'The same as long as the flow is shown.' }),
    startedAt: z.string().meta({ description: 'Virtual time, RFC 3339.' }),
    endedAt: z.string().optional(),
    from: z.string().meta({ description: "'pod/shop/web', 'node/worker-1', or an address." }),
    to: z.string().meta({ description: 'The same.' }),
    service: z.string().optional().meta({ description: "'service/shop/db', when its address was asked for." }),
    address: z.string().meta({ description: 'The address that was asked for.' }),
    port: z.int(),
    protocol: z.enum(['TCP', 'UDP', 'ICMP']),
    verdict: z.enum(['Delivered', 'Refused', 'Dropped', 'Unreachable']),
    decided: z.string().meta({ description: 'The policy or rule that has decided; empty when none had to.' }),
    bytesSent: long(),
    bytesReceived: long(),
    nodes: z.array(z.string()).meta({ description: 'The nodes that it passes, in their order.' }),
  })
  .meta({ id: 'Flow' });

export const FlowReading = z
  .strictObject({
    at: z.string().meta({ description: 'The virtual time of the reading.' }),
    flows: z.array(Flow).meta({ description: 'The latest first.' }),
    left: z.int().meta({ description: 'Flows beyond the limit.' }),
  })
  .meta({ id: 'FlowReading' });
export type FlowReading = z.infer<typeof FlowReading>;
