import type { WhyFinding } from '../../../machinery/questions/why.js';
import { unique, type World } from '../../world.js';
import { defaultFindings, limitFindings } from './limit-ranges.js';
import { policyFindings } from './policies.js';
import { quotaFindings } from './quotas.js';
import { securityFindings } from './pod-security.js';
import { webhookFindings } from './webhooks.js';

const MAX_MESSAGES = 5;

/** Those who refuse writes: each finds itself in the words that it has used. `namespace`: of what was refused. */
const REFUSERS: readonly ((world: World, namespace: string, message: string) => WhyFinding[])[] = [
  quotaFindings,
  limitFindings,
  defaultFindings,
  securityFindings,
  policyFindings,
  webhookFindings,
];

/** What stands behind findings that tell of a refused write: the quota and who uses it, the policy, the webhook. */
export function refuserFindings(world: World, namespace: string, found: readonly WhyFinding[]): WhyFinding[] {
  const messages = [...new Set(found.map(({ message }) => message))].slice(0, MAX_MESSAGES);
  return unique(messages.flatMap((message) => REFUSERS.flatMap((findingsOf) => findingsOf(world, namespace, message))));
}
