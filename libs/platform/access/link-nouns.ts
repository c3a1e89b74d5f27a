import { z } from 'zod';
import { durationSchema } from '../duration.js';

const MAX_WHERE = 253;
const MAX_PATH = 2_000;

export const NewLink = z
  .strictObject({
    where: z.string().min(1).max(MAX_WHERE).meta({
      description:
        'What is opened: <port>.<name>.<namespace>.svc or .pod (80.web.shop.svc), also with https- before the port; a node port (30080), an address of a LoadBalancer, or the host of an Ingress.',
    }),
    path: z.string().max(MAX_PATH).regex(/^\//, 'must begin with a slash').default('/'),
    ttl: durationSchema('10s', '1d')
      .default(60 * 60_000)
      .meta({ description: 'How long it opens it, from now; by default 1h.' }),
  })
  .meta({ id: 'NewLink' });

export const Link = z
  .object({
    url: z.string().meta({ description: 'For a browser. It has a token, which the first answer makes a cookie of.' }),
    expiresAt: z.string().meta({ description: 'RFC 3339.' }),
  })
  .meta({ id: 'Link' });

export type NewLink = z.infer<typeof NewLink>;
export type Link = z.infer<typeof Link>;
