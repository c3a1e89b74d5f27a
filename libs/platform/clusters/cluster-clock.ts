import type { ApiResponse, ClockLike } from '@terrarium/engine';
import type { ClusterHost } from '@terrarium/host';
import { userOf, type Caller } from '../identity/principal.js';
import { Refusal } from '../refusal.js';

const CLOCKS_PATH = '/apis/terrarium.dev/v1alpha1/clocks';
const CLOCK_PATH = `${CLOCKS_PATH}/clock`;
const CONFLICT = 409;
const NOT_FOUND = 404;
const MAX_TRIES = 5;

interface Clock extends ClockLike {
  readonly metadata: { readonly resourceVersion: string };
}

/** A change of the Clock: a merge patch. */
interface ClockPatch {
  readonly metadata?: { readonly resourceVersion: string };
  readonly spec: { readonly paused: boolean };
}

/**
 * Stops and starts the virtual time of a cluster by its own Clock object, so that it stands in the cluster's log and
 * `kubectl get clocks` shows it. The engine notes when that was, so that time goes on from where it stood.
 */
export class ClusterClock {
  constructor(private readonly host: Pick<ClusterHost, 'request'>) {}

  /**
   * Virtual time stands still, or goes on from where it stood. Does nothing when it does so already. Throws Refusal
   * with the API server's answer when that refuses, and 409 when others change the Clock all the time.
   */
  async setPaused(caller: Caller, id: string, paused: boolean): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const clock = await this.read(caller, id);
      if (clock?.spec.paused === paused || (!clock && !paused)) return;
      const version = clock && { metadata: { resourceVersion: clock.metadata.resourceVersion } };
      const answer = await this.write(caller, id, clock, { ...version, spec: { paused } });
      if (answer.status < 300) return;
      if (answer.status !== CONFLICT) throw new Refusal(answer.status, messageOf(answer.body));
    }
    throw new Refusal(CONFLICT, 'the Clock of the cluster is being changed by others: try again');
  }

  private async read(caller: Caller, id: string): Promise<Clock | undefined> {
    const { status, body } = await this.request(caller, id, 'GET', CLOCK_PATH);
    if (status === NOT_FOUND && reasonOf(body) === 'NotFound') return undefined;
    if (status !== 200) throw new Refusal(status, messageOf(body));
    return body as Clock;
  }

  /** A Clock that its user has deleted is made again. */
  private write(caller: Caller, id: string, clock: Clock | undefined, patch: ClockPatch) {
    if (clock) return this.request(caller, id, 'PATCH', CLOCK_PATH, patch);
    const created = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'Clock', metadata: { name: 'clock' } };
    return this.request(caller, id, 'POST', CLOCKS_PATH, { ...created, ...patch });
  }

  private async request(caller: Caller, id: string, method: string, path: string, body?: object) {
    const response = await this.host.request(id, {
      method,
      path,
      query: '',
      headers: {
        accept: 'application/json',
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      body: body && Buffer.from(JSON.stringify(body)),
      user: userOf(caller),
    });
    return parseBody(response);
  }
}

function parseBody(response: ApiResponse): { status: number; body: unknown } {
  if (response.type !== 'body') throw new Error(`the Clock was answered with a ${response.type}`);
  const { status, body } = response;
  return { status, body: JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) };
}

const reasonOf = (body: unknown): string | undefined => (body as { reason?: string }).reason;
const messageOf = (body: unknown): string => (body as { message?: string }).message ?? 'the cluster has refused it';
