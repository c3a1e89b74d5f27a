import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { KubeObject } from '@terrarium/engine';
import { nouns, Refusal } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../objects/kube-objects.js';

const API_VERSION = 'terrarium.dev/v1alpha1';
const CLOCK = 'clock';
const MAX_LISTED = 100;
/** How long a request waits for its steps, and how often it looks. Real ms. */
const STEP_WAIT = 10_000;
const STEP_POLL = 40;

interface AdvanceObject extends KubeObject {
  readonly status: Omit<nouns.Advance, 'name' | 'reason' | 'message'> & {
    readonly conditions?: readonly { readonly reason: string; readonly message: string }[];
  };
}

interface ClockObject extends KubeObject {
  readonly spec: Partial<Omit<nouns.Clock, 'advances'>>;
}

/** A cluster's clock by its own objects, Clock and Advance, so that kubectl sees the same. */
@Injectable()
export class ClusterClocks {
  constructor(private readonly kubeObjects: KubeObjects) {}

  async read(context: RequestContext, clusterId: string): Promise<nouns.Clock> {
    const where = { clusterId, apiVersion: API_VERSION };
    const clock = (await this.kubeObjects.get(context, { ...where, kind: 'Clock' }, CLOCK)) as ClockObject | undefined;
    const { items } = await this.kubeObjects.list(context, { ...where, kind: 'Advance', limit: MAX_LISTED });
    const { rate = 1, paused = false, asFastAsPossible = false, speedProfile } = clock?.spec ?? {};
    const advances = items.map((item) => advanceOf(item as AdvanceObject));
    return { rate, paused, asFastAsPossible, ...(speedProfile ? { speedProfile } : {}), advances };
  }

  /** Throws Refusal 422 with the cluster's own words. */
  async update(context: RequestContext, clusterId: string, patch: nouns.ClockPatch): Promise<nouns.Clock> {
    await this.kubeObjects.merge(context, { clusterId, apiVersion: API_VERSION, kind: 'Clock' }, CLOCK, {
      spec: patch,
    });
    return this.read(context, clusterId);
  }

  /** Throws Refusal 409 for a name that is taken, and 422. It is under way when this resolves. */
  async advance(context: RequestContext, clusterId: string, given: nouns.NewAdvance): Promise<nouns.Advance> {
    const { name = `advance-${randomUUID()}`, ...spec } = given;
    return this.create(context, clusterId, name, spec);
  }

  /** Waits for the steps as long as a request may. */
  async step(context: RequestContext, clusterId: string, { steps = 1 }: nouns.NewSteps): Promise<nouns.Advance> {
    const { name } = await this.create(context, clusterId, `step-${randomUUID()}`, { steps });
    const end = performance.now() + STEP_WAIT;
    for (;;) {
      const advance = await this.find(context, clusterId, name);
      if (isOver(advance) || performance.now() > end) return advance;
      await new Promise((resolve) => setTimeout(resolve, STEP_POLL));
    }
  }

  /** Throws Refusal 404. */
  async find(context: RequestContext, clusterId: string, name: string): Promise<nouns.Advance> {
    const where = { clusterId, apiVersion: API_VERSION, kind: 'Advance' };
    const found = await this.kubeObjects.get(context, where, name);
    if (!found) throw new Refusal(404, `there is no advance ${JSON.stringify(name)}`);
    return advanceOf(found as AdvanceObject);
  }

  /** Gives it up: from here on time runs by the Clock. */
  async cancel(context: RequestContext, clusterId: string, name: string): Promise<void> {
    await this.kubeObjects.delete(context, { clusterId, apiVersion: API_VERSION, kind: 'Advance' }, name, undefined);
  }

  private async create(context: RequestContext, clusterId: string, name: string, spec: object): Promise<nouns.Advance> {
    const object = { apiVersion: API_VERSION, kind: 'Advance', metadata: { name }, spec };
    return advanceOf((await this.kubeObjects.create(context, clusterId, object)) as AdvanceObject);
  }
}

export const isOver = ({ phase }: nouns.Advance): boolean => phase === 'Succeeded' || phase === 'Failed';

/** What the platform shows of an Advance object. */
export function advanceOf({ metadata, status }: AdvanceObject): nouns.Advance {
  const { conditions, progress = 0, ran = [], ...rest } = status;
  const [condition] = conditions ?? [];
  const why = condition ? { reason: condition.reason, message: condition.message } : {};
  return { name: metadata.name ?? '', ...rest, progress, ran, ...why };
}
