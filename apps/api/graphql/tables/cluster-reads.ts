import { Injectable } from '@nestjs/common';
import type { ApiRequest, ApiResponse, BodyResponse, StreamResponse } from '@terrarium/engine';
import { ClusterHost, parsePoint, type FrameStream } from '@terrarium/host';
import { Refusal, userOf } from '@terrarium/platform';
import { Gate } from '../../gate/gate.js';
import type { RequestContext } from '../../gate/request-context.js';

const JSON_TYPE = 'application/json';
const ACCESS_REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** A reading of a cluster's API server. */
export interface Reading {
  readonly path: string;
  /** Without the '?'. */
  readonly query?: string;
  readonly accept?: string;
  /** A moment of the past. */
  readonly at?: string;
}

/** What somebody wants to do with a resource. */
export interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
}

/** Asks a cluster's API server as the user of an operation, in a turn of its own, now or at a moment of the past. */
@Injectable()
export class ClusterReads {
  constructor(
    private readonly host: ClusterHost,
    private readonly gate: Gate,
  ) {}

  /** The answer, read as JSON. Throws Refusal with what the cluster says when it refuses. */
  async read<T>(context: RequestContext, clusterId: string, reading: Reading): Promise<T> {
    return this.parse<T>(context, await this.ask(context, clusterId, toRequest(context, reading), reading.at));
  }

  /** The text of a pod's log: what there is, or what comes. */
  async log(context: RequestContext, clusterId: string, reading: Reading): Promise<string | FrameStream> {
    const response = await this.ask(context, clusterId, toRequest(context, reading), reading.at);
    if (response.type === 'stream') return this.host.stream(clusterId, response satisfies StreamResponse);
    if (response.type !== 'body') throw new Refusal(400, 'this is no log');
    if (response.status >= 400) this.parse(context, response);
    return textOf(response);
  }

  /** Throws Refusal 403, in the API server's words, unless the user may do it. */
  async mustBeAllowed(context: RequestContext, clusterId: string, attributes: Attributes): Promise<void> {
    const { verb, group, resource, namespace } = attributes;
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb, group, resource, namespace } },
    };
    const request: ApiRequest = {
      ...toRequest(context, { path: ACCESS_REVIEWS }),
      method: 'POST',
      body: Buffer.from(JSON.stringify(body)),
    };
    const answer = await this.ask(context, clusterId, request, undefined);
    const { status } = this.parse<{ status: { allowed: boolean } }>(context, answer);
    if (status.allowed) return;
    const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const { name } = userOf(context.principal!);
    const who = `User ${JSON.stringify(name)} cannot ${verb} resource "${resource}"`;
    const full = group === '' ? resource : `${resource}.${group}`;
    throw new Refusal(403, `${full} is forbidden: ${who} in API group "${group}" ${where}`);
  }

  private ask(
    context: RequestContext,
    clusterId: string,
    request: ApiRequest,
    at: string | undefined,
  ): Promise<ApiResponse> {
    const point = at === undefined ? undefined : parsePoint(at);
    return this.gate.turn(context, request.body?.length ?? 0, () =>
      point === undefined ? this.host.request(clusterId, request) : this.host.past.request(clusterId, point, request),
    );
  }

  /** The engine counts what it does itself; reading its answer here, and printing it again, are the tenant's too. */
  private parse<T>(context: RequestContext, response: ApiResponse): T {
    if (response.type !== 'body') throw new Refusal(400, 'this is a stream');
    const startedAt = performance.now();
    const answer = JSON.parse(textOf(response)) as T & { message?: string };
    this.gate.recordCost(context, 2 * (performance.now() - startedAt));
    if (response.status >= 400)
      throw new Refusal(response.status, answer.message ?? `the cluster answered ${response.status}`);
    return answer;
  }
}

const textOf = ({ body }: BodyResponse): string =>
  typeof body === 'string' ? body : Buffer.from(body).toString('utf8');

function toRequest(context: RequestContext, { path, query = '', accept = JSON_TYPE }: Reading): ApiRequest {
  const headers = { accept, 'content-type': JSON_TYPE };
  return { method: 'GET', path, query, headers, body: undefined, user: userOf(context.principal!) };
}
