import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { nouns, Refusal } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../objects/kube-objects.js';

const API_VERSION = 'terrarium.dev/v1alpha1';
const KIND = 'Check';
/** Of a name that nobody has chosen. */
const SUFFIX_BYTES = 4;

/** A cluster's checks by its own objects, Check and CheckReport, so that kubectl sees the same. */
@Injectable()
export class ClusterChecks {
  constructor(private readonly kubeObjects: KubeObjects) {}

  /** Throws Refusal 403 unless the caller may create CheckReports in the cluster. */
  async report(context: RequestContext, clusterId: string): Promise<nouns.CheckReport> {
    const question = { kind: 'CheckReport', plural: 'checkreports', spec: {} };
    return (await this.kubeObjects.ask(context, clusterId, question)) as nouns.CheckReport;
  }

  /** Throws Refusal 404. */
  async find(context: RequestContext, clusterId: string, name: string): Promise<nouns.Check> {
    const { items } = await this.report(context, clusterId);
    const found = items.find((item) => item.name === name);
    if (!found) throw new Refusal(404, `checks.terrarium.dev ${JSON.stringify(name)} not found`);
    return found;
  }

  /** Throws Refusal 409 for a name that is taken, and 422 with the cluster's own words. */
  async create(context: RequestContext, clusterId: string, check: nouns.NewCheck): Promise<nouns.Check> {
    const { name = `check-${randomBytes(SUFFIX_BYTES).toString('hex')}`, spec } = check;
    await this.kubeObjects.create(context, clusterId, objectOf(name, spec));
    return this.find(context, clusterId, name);
  }

  /** Makes it, or what it asks for: then it begins anew. Throws Refusal 422. */
  async put(context: RequestContext, clusterId: string, name: string, spec: nouns.CheckSpec): Promise<nouns.Check> {
    const object = objectOf(name, spec);
    try {
      await this.kubeObjects.replace(context, clusterId, object);
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      await this.kubeObjects.create(context, clusterId, object);
    }
    return this.find(context, clusterId, name);
  }

  /** Throws Refusal 404. */
  async delete(context: RequestContext, clusterId: string, name: string): Promise<void> {
    await this.kubeObjects.delete(context, { clusterId, apiVersion: API_VERSION, kind: KIND }, name, undefined);
  }
}

const objectOf = (name: string, spec: nouns.CheckSpec) => ({
  apiVersion: API_VERSION,
  kind: KIND,
  metadata: { name },
  spec,
});
