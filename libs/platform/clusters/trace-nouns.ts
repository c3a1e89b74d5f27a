import { z } from 'zod';

const MAX_END = 300;
const ENDS = 'pod/NAMESPACE/NAME, service/NAMESPACE/NAME, node/NAME, an address, or a name that the pod asks for';

/** What is asked; the cluster itself says what is missing or wrong. */
export const TraceQuery = z.strictObject({
  from: z
    .string()
    .max(MAX_END)
    .optional()
    .meta({ description: 'Who sends: pod/NAMESPACE/NAME, node/NAME, or an address.' }),
  to: z
    .string()
    .max(MAX_END)
    .optional()
    .meta({ description: `Where to: ${ENDS}.` }),
  port: z
    .string()
    .max(63)
    .optional()
    .meta({ description: 'A number, or the name of a port; of a Service by default its only one.' }),
  protocol: z.string().max(8).optional().meta({ description: 'TCP, UDP or SCTP; by default TCP.' }),
});
export type TraceQuery = z.infer<typeof TraceQuery>;

export const TraceHop = z
  .strictObject({
    at: z.string().meta({ description: "'pod shop/web', 'node worker-1', 'outside'." }),
    type: z
      .string()
      .meta({ description: 'name, route, rule, translation, policy, delivery or loss: what decided there.' }),
    text: z.string().meta({ description: 'As ip route, iptables-save or the policy has it.' }),
  })
  .meta({ id: 'TraceHop' });

export const Trace = z
  .strictObject({
    verdict: z.enum(['Delivered', 'Refused', 'Dropped', 'Unreachable']),
    reason: z.string().meta({ description: 'Who answers, or what the sender’s program is told.' }),
    address: z.string().meta({ description: 'The address that was asked for; empty when its name was not found.' }),
    port: z.int(),
    source: z.string().meta({ description: 'The address that the receiver sees.' }),
    hops: z.array(TraceHop),
  })
  .meta({ id: 'Trace' });
export type Trace = z.infer<typeof Trace>;
