import { randomInt } from 'node:crypto';
import {
  ApiError,
  type ApiResponse,
  type OutsideAnswer,
  type OutsideRecord,
  type OutsideResponse,
} from '@terrarium/engine';
import { tooManyRequests } from '../gate/status-responses.js';
import type { Limits } from '../limits.js';
import { callWebhook } from './call-webhook.js';

/** Runs the request on its cluster once, with the answers so far. */
type RunRequest = (
  outside: OutsideRecord,
) => Promise<{ readonly tenant: string; readonly response: ApiResponse | OutsideResponse }>;

export type EgressLimits = Pick<
  Limits,
  'egressRequests' | 'tenantEgressRequests' | 'egressRounds' | 'egressMs' | 'egressBytes' | 'egressCalls'
>;

const FIRST_RUN: OutsideRecord = { stream: 0, answers: new Map() };
const WORD = 2 ** 32;

/**
 * Calls the webhooks that requests need outside their cluster: between two runs of the request, while other requests
 * run.
 */
export class WebhookEgress {
  /** Requests that wait for answers, by tenant. */
  private readonly waiting = new Map<string, number>();
  private total = 0;

  /** Without `allowPrivate` only public addresses are called. */
  constructor(
    private readonly limits: EgressLimits,
    private readonly allowPrivate: boolean,
  ) {}

  /**
   * Runs a request until it needs no more answers. Throws 429 when too many requests wait for answers, 504 when its
   * calls exceed their limits.
   */
  async settle(run: RunRequest): Promise<ApiResponse> {
    const { tenant, response } = await run(FIRST_RUN);
    if (response.type !== 'outside') return response;
    this.acquire(tenant);
    try {
      return await this.runWithAnswers(run);
    } finally {
      this.release(tenant);
    }
  }

  private async runWithAnswers(run: RunRequest): Promise<ApiResponse> {
    const { egressRounds, egressMs, egressBytes, egressCalls } = this.limits;
    const answers = new Map<string, OutsideAnswer>();
    const stream = WORD * randomInt(1, 2 ** 20) + randomInt(WORD);
    const end = performance.now() + egressMs;
    let bytes = 0;
    for (let round = 0; round < egressRounds && bytes <= egressBytes && performance.now() < end; round++) {
      const { response } = await run({ stream, answers });
      if (response.type !== 'outside') return response;
      const calls = response.calls.slice(0, egressCalls);
      const made = await Promise.all(calls.map((call) => callWebhook(call, this.allowPrivate)));
      for (const [i, answer] of made.entries()) {
        answers.set(calls[i]!.key, answer);
        bytes += 'body' in answer ? (answer.body?.length ?? 0) : 0;
      }
    }
    throw new ApiError(
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
    );
  }

  private acquire(tenant: string): void {
    const ofTenant = this.waiting.get(tenant) ?? 0;
    if (ofTenant >= this.limits.tenantEgressRequests || this.total >= this.limits.egressRequests)
      throw tooManyRequests();
    this.waiting.set(tenant, ofTenant + 1);
    this.total++;
  }

  private release(tenant: string): void {
    const ofTenant = this.waiting.get(tenant)! - 1;
    if (ofTenant > 0) this.waiting.set(tenant, ofTenant);
    else this.waiting.delete(tenant);
    this.total--;
  }
}
