import type { NetworkEffect } from './effect.js';
import type { Given } from './fault-type.js';
import type { Parameter } from './values.js';

/** Whose packets a fault of the network acts on. */
export const DIRECTION = {
  type: 'choice',
  of: ['to', 'both'],
  default: 'both',
  about: 'whose connections: to the target, or of either end',
} as const satisfies Parameter;

type Ends = Pick<NetworkEffect, 'does' | 'from' | 'to' | 'direction' | 'seed'>;

/** An effect on the packets between the chosen pods and the other end, by DIRECTION, but for what it does to them. */
export const packetsOf = ({ scope, to, values, seed }: Given): Ends => ({
  does: 'network',
  from: { pods: scope },
  ...(to ? { to } : {}),
  direction: values.text<'to' | 'both'>('direction'),
  seed,
});
