import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  ApiError,
  type ApiResponse,
  type OutsideAnswer,
  type OutsideRecord,
  type OutsideResponse,
} from '@terrarium/engine';
import { tooManyRequests } from '../gate/status-responses.js';
import type { Limits } from '../limits.js';
import { NO_HISTORY } from '../log/settle-history.js';
import { traceChild, type Tracer } from '../tracer.js';
import { callWebhook } from './call-webhook.js';

/** Runs the request on its cluster once, with the answers so far. */
type RunRequest = (
  outside: OutsideRecord,
) => Promise<{ readonly tenant: string; readonly response: ApiResponse | OutsideResponse }>;

export type EgressLimits = Pick<
  Limits,
  'egressRequests' | 'tenantEgressRequests' | 'egressRounds' | 'egressMs' | 'egressBytes' | 'egressCalls'
>;

const WORD = 2 ** 32;
/** Between two runs of a request that waits for a component: ms, doubled each time. */
const FIRST_WAIT_MS = 10;
const MAX_WAIT_MS = 160;

/**
 * Calls the webhooks that requests need outside their cluster, and waits for components inside: between two runs of the
 * request, while other requests run.
 */
export class WebhookEgress {
  /** Requests that wait for answers, by tenant. */
  private readonly waiting = new Map<string, number>();
  private total = 0;
  /** For the first run of every request: it has no answers yet. */
  private readonly firstRun: OutsideRecord;

  /** Which addresses are called: of no network, of the public one, or of any. */
  constructor(
    private readonly limits: EgressLimits,
    private readonly addresses: 'none' | 'public' | 'any',
    private readonly tracer?: Tracer,
  ) {
    this.firstRun = { stream: 0, answers: this.newAnswers(), waitedMs: 0, history: NO_HISTORY };
  }

  /**
   * Runs a request until it needs no more answers. Throws 429 when too many requests wait for answers, 504 when its
   * calls exceed their limits.
   */
  async settle(run: RunRequest): Promise<ApiResponse> {
    const { tenant, response } = await run(this.firstRun);
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
    const answers = this.newAnswers();
    const stream = WORD * randomInt(1, 2 ** 20) + randomInt(WORD);
    const end = performance.now() + egressMs;
    let bytes = 0;
    let [waitedMs, waitMs] = [0, FIRST_WAIT_MS];
    for (let round = 0; round < egressRounds && bytes <= egressBytes && performance.now() < end; round++) {
      const { response } = await run({ stream, answers, waitedMs, history: NO_HISTORY });
      if (response.type !== 'outside') return response;
      if (response.waits) {
        await setTimeout(waitMs);
        waitedMs += waitMs;
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      }
      const calls = response.calls.slice(0, egressCalls);
      const made = await Promise.all(
        calls.map((call) => traceChild(this.tracer, 'webhook', {}, () => callWebhook(call, this.addresses === 'any'))),
      );
      for (const [i, answer] of made.entries()) {
        answers?.set(calls[i]!.key, answer);
        bytes += 'body' in answer ? (answer.body?.length ?? 0) : 0;
      }
    }
    throw new ApiError(
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
    );
  }

  private newAnswers(): Map<string, OutsideAnswer> | undefined {
    return this.addresses === 'none' ? undefined : new Map<string, OutsideAnswer>();
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
