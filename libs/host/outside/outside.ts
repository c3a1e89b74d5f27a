import { randomInt } from 'node:crypto';
import {
  ApiError,
  type ApiResponse,
  type OutsideAnswer,
  type OutsideRecord,
  type OutsideResponse,
} from '@terrarium/engine';
import { overloaded } from '../gate/answers.js';
import type { Limits } from '../limits.js';
import { post } from './post.js';

/** Runs the request, in the cluster's turn. */
type RunRequest = (
  outside: OutsideRecord,
) => Promise<{ readonly tenant: string; readonly response: ApiResponse | OutsideResponse }>;
export type OutsideLimits = Pick<
  Limits,
  'outsideRequests' | 'tenantOutsideRequests' | 'outsideRounds' | 'outsideMs' | 'outsideBytes' | 'outsideCalls'
>;

const FIRST: OutsideRecord = { stream: 0, answers: new Map() };
const WORD = 2 ** 32;

/**
 * Makes the calls that requests want made outside the cluster: between two runs of the request, while others run.
 * `anywhere`: at addresses that are not public, too.
 */
export class Outside {
  private readonly running = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly limits: OutsideLimits,
    private readonly anywhere: boolean,
  ) {}

  /**
   * Runs a request until nothing is left to ask. Throws 429 when too many wait for answers, 504 when that takes too
   * long.
   */
  async settle(run: RunRequest): Promise<ApiResponse> {
    const { tenant, response } = await run(FIRST);
    if (response.type !== 'outside') return response;
    this.enter(tenant);
    try {
      return await this.asked(run);
    } finally {
      this.leave(tenant);
    }
  }

  private async asked(run: RunRequest): Promise<ApiResponse> {
    const { outsideRounds, outsideMs, outsideBytes, outsideCalls } = this.limits;
    const answers = new Map<string, OutsideAnswer>();
    const stream = WORD * randomInt(1, 2 ** 20) + randomInt(WORD);
    const end = performance.now() + outsideMs;
    let bytes = 0;
    for (let round = 0; round < outsideRounds && bytes <= outsideBytes && performance.now() < end; round++) {
      const { response } = await run({ stream, answers });
      if (response.type !== 'outside') return response;
      const made = await Promise.all(
        response.calls.slice(0, outsideCalls).map(async (call) => [call.key, await post(call, this.anywhere)] as const),
      );
      for (const [key, answer] of made) {
        answers.set(key, answer);
        bytes += 'body' in answer ? (answer.body?.length ?? 0) : 0;
      }
    }
    throw new ApiError(
      504,
      'Timeout',
      'Timeout: request did not complete within requested timeout - context deadline exceeded',
    );
  }

  private enter(tenant: string): void {
    const own = this.running.get(tenant) ?? 0;
    if (own >= this.limits.tenantOutsideRequests || this.total >= this.limits.outsideRequests) throw overloaded();
    this.running.set(tenant, own + 1);
    this.total++;
  }

  private leave(tenant: string): void {
    const own = this.running.get(tenant)! - 1;
    if (own > 0) this.running.set(tenant, own);
    else this.running.delete(tenant);
    this.total--;
  }
}
