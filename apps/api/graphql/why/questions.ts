import { Injectable } from '@nestjs/common';
import type { nouns } from '@terrarium/platform';
import type { RequestContext } from '../../gate/request-context.js';
import { KubeObjects } from '../objects/kube-objects.js';

const NUMBER = /^\d{1,6}$/;

/** Asks a cluster about itself, by its own objects Why and Timeline. */
@Injectable()
export class Questions {
  constructor(private readonly kubeObjects: KubeObjects) {}

  /** Throws Refusal 400 and 422 with what is wrong with the question. */
  async why(context: RequestContext, clusterId: string, spec: nouns.WhySpec): Promise<nouns.Why> {
    return (await this.kubeObjects.ask(context, clusterId, { kind: 'Why', plural: 'whys', spec })) as nouns.Why;
  }

  async timeline(context: RequestContext, clusterId: string, query: nouns.TimelineQuery): Promise<nouns.Timeline> {
    const { verbs, ...rest } = query;
    const spec = { ...rest, ...(verbs === undefined ? {} : { verbs: verbs.split(',') }) };
    const question = { kind: 'Timeline', plural: 'timelines', spec };
    return (await this.kubeObjects.ask(context, clusterId, question)) as nouns.Timeline;
  }
}

/** The spec of a question that was asked without nesting. */
export function whySpecOf({ from, to, port, protocol, verb, user, group, subresource, path, ...rest }: nouns.WhyQuery) {
  const { resource, namespace, name, condition, before, revision } = rest;
  if (from !== undefined || to !== undefined) {
    const number = port !== undefined && NUMBER.test(port) ? Number(port) : port;
    return present({ connection: present({ from, to, port: number, protocol }), resource, name, revision });
  }
  if (verb !== undefined)
    return present({
      request: present({ verb, user, group, resource, subresource, namespace, name, path }),
      condition,
      revision,
    });
  return present({ resource, namespace, name, condition, before, revision });
}

/** What is set, as JSON has it. */
const present = (fields: object): nouns.WhySpec =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as nouns.WhySpec;
