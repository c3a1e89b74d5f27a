import { Injectable } from '@nestjs/common';
import type { ApiRequest, BodyResponse, KubeObject } from '@terrarium/engine';
import { ClusterHost } from '@terrarium/host';
import { nouns, Refusal, userOf } from '@terrarium/platform';
import { Gate } from '../../gate/gate.js';
import type { RequestContext } from '../../gate/request-context.js';
import { parseManifest } from './manifest.js';
import { threeWayPatch } from './three-way-patch.js';

/** Printing an answer takes as long as reading it. */
const PARSE_AND_PRINT = 2;
const FLOWS = '/apis/terrarium.dev/v1alpha1/flowqueries';
const TRACES = '/apis/terrarium.dev/v1alpha1/traces';
const ACCESS_REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface KindRef {
  readonly clusterId: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
}

export interface Selection extends KindRef {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
}

interface ResourceRef {
  readonly path: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * Reads and writes objects of a cluster through its own Kubernetes API, so that they meet the same admission and
 * validation, and have the same history, as kubectl's.
 */
@Injectable()
export class KubeObjects {
  constructor(
    private readonly host: ClusterHost,
    private readonly gate: Gate,
  ) {}

  async list(
    context: RequestContext,
    selection: Selection,
  ): Promise<{ items: KubeObject[]; continue?: string; remaining?: number; revision: string }> {
    const served = await this.findResource(context, selection);
    const query = new URLSearchParams();
    for (const key of ['labelSelector', 'fieldSelector', 'limit', 'continue'] as const)
      if (selection[key] !== undefined && selection[key] !== null) query.set(key, String(selection[key]));
    const list = (await this.call(context, selection.clusterId, {
      path: collection(served, selection.namespace),
      query: query.toString(),
    })) as {
      items: KubeObject[];
      metadata: { continue?: string; remainingItemCount?: number; resourceVersion: string };
    };
    const items = list.items.map((o) => ({ ...o, apiVersion: selection.apiVersion, kind: selection.kind }));
    return {
      items,
      continue: list.metadata.continue || undefined,
      remaining: list.metadata.remainingItemCount,
      revision: list.metadata.resourceVersion,
    };
  }

  /** The object; undefined when it does not exist. */
  async get(context: RequestContext, where: KindRef, name: string): Promise<KubeObject | undefined> {
    return this.find(context, where.clusterId, await this.pathOf(context, where, name));
  }

  async delete(
    context: RequestContext,
    where: KindRef,
    name: string,
    propagationPolicy: string | undefined,
  ): Promise<unknown> {
    const body = propagationPolicy ? { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy } : undefined;
    return this.call(context, where.clusterId, {
      method: 'DELETE',
      path: await this.pathOf(context, where, name),
      body,
    });
  }

  /** Each object of the manifest is created, or patched as `kubectl apply` does on the client's side. */
  async apply(
    context: RequestContext,
    clusterId: string,
    manifest: unknown,
    namespace: string | undefined,
  ): Promise<KubeObject[]> {
    const applied: KubeObject[] = [];
    for (const object of parseManifest(manifest))
      applied.push(await this.applyOne(context, clusterId, object, namespace));
    return applied;
  }

  /** What happens to the first packet of a connection: the cluster's own Trace. Throws Refusal 400. */
  async trace(context: RequestContext, clusterId: string, { port, ...ends }: nouns.TraceQuery): Promise<nouns.Trace> {
    const spec = { ...ends, ...(port === undefined ? {} : { port: /^\d{1,6}$/.test(port) ? Number(port) : port }) };
    const { status } = (await this.call(context, clusterId, {
      method: 'POST',
      path: TRACES,
      body: { apiVersion: 'terrarium.dev/v1alpha1', kind: 'Trace', spec },
    })) as { status: nouns.Trace };
    return status;
  }

  /** Who talked to whom lately: the cluster's own FlowQuery. Throws Refusal 400. */
  async flows(context: RequestContext, clusterId: string, spec: nouns.FlowQuery): Promise<nouns.FlowReading> {
    const { status } = (await this.call(context, clusterId, {
      method: 'POST',
      path: FLOWS,
      body: { apiVersion: 'terrarium.dev/v1alpha1', kind: 'FlowQuery', spec },
    })) as { status: nouns.FlowReading };
    return status;
  }

  /** The status of a question of terrarium.dev, which is answered and not stored. Throws Refusal 400, 403 and 422. */
  async ask(
    context: RequestContext,
    clusterId: string,
    { kind, plural, spec }: { kind: string; plural: string; spec: object },
  ): Promise<unknown> {
    const apiVersion = 'terrarium.dev/v1alpha1';
    const path = `/apis/${apiVersion}/${plural}`;
    const body = { apiVersion, kind, spec };
    return ((await this.call(context, clusterId, { method: 'POST', path, body })) as { status: unknown }).status;
  }

  /** Throws Refusal 403 unless the cluster's own rules allow the caller to create this resource of terrarium.dev. */
  async mustBeAllowed(context: RequestContext, clusterId: string, resource: string): Promise<void> {
    const resourceAttributes = { group: 'terrarium.dev', resource, verb: 'create' };
    const { status } = (await this.call(context, clusterId, {
      method: 'POST',
      path: ACCESS_REVIEWS,
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
    })) as { status: { allowed: boolean } };
    if (!status.allowed) throw new Refusal(403, `the cluster does not allow you to create ${resource}.terrarium.dev`);
  }

  /** Work that reads no cluster, in a turn of the caller's tenant. */
  inTurn<T>(context: RequestContext, work: () => T): Promise<T> {
    return this.gate.turn(context, 0, async () => work());
  }

  /** Creates an object of the whole cluster as it is given. Throws Refusal 409 and 422. */
  async create(
    context: RequestContext,
    clusterId: string,
    object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>,
  ): Promise<KubeObject> {
    const path = collection(await this.findResource(context, { clusterId, ...object }), object.metadata.namespace);
    return (await this.call(context, clusterId, { method: 'POST', path, body: object })) as KubeObject;
  }

  /** A PUT without a version: it becomes what is given. Throws Refusal 404 and 422. */
  async replace(
    context: RequestContext,
    clusterId: string,
    object: Pick<KubeObject, 'apiVersion' | 'kind' | 'metadata'>,
  ): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object;
    const where = { clusterId, apiVersion, kind, namespace: metadata.namespace };
    const path = await this.pathOf(context, where, metadata.name ?? '');
    return (await this.call(context, clusterId, { method: 'PUT', path, body: object })) as KubeObject;
  }

  /** A merge patch. Throws Refusal 404 and 422. */
  async merge(context: RequestContext, where: KindRef, name: string, body: object): Promise<KubeObject> {
    const path = await this.pathOf(context, where, name);
    const type = 'application/merge-patch+json';
    return (await this.call(context, where.clusterId, { method: 'PATCH', path, body, type })) as KubeObject;
  }

  private async applyOne(
    context: RequestContext,
    clusterId: string,
    object: KubeObject,
    defaultNamespace: string | undefined,
  ): Promise<KubeObject> {
    const { apiVersion, kind, metadata } = object;
    const namespace = metadata.namespace ?? defaultNamespace;
    const where = { clusterId, apiVersion, kind, namespace };
    if (!metadata.name) throw new Refusal(400, `${kind}: metadata.name is needed`);
    const path = await this.pathOf(context, where, metadata.name);
    const found = await this.find(context, clusterId, path);
    const applied = withLastApplied(object);
    if (!found)
      return (await this.call(context, clusterId, {
        method: 'POST',
        path: collection(await this.findResource(context, where), namespace),
        body: applied,
      })) as KubeObject;
    const before = JSON.parse(found.metadata.annotations?.[LAST_APPLIED] ?? '{}') as object;
    const body = threeWayPatch(before, applied);
    return (await this.call(context, clusterId, {
      method: 'PATCH',
      path,
      body,
      type: 'application/merge-patch+json',
    })) as KubeObject;
  }

  private async find(context: RequestContext, clusterId: string, path: string): Promise<KubeObject | undefined> {
    try {
      return (await this.call(context, clusterId, { path })) as KubeObject;
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined;
      throw error;
    }
  }

  private async pathOf(context: RequestContext, where: KindRef, name: string): Promise<string> {
    return `${collection(await this.findResource(context, where), where.namespace)}/${encodeURIComponent(name)}`;
  }

  /** The resource of a kind, by the cluster's own discovery, so that CRDs need nothing here. */
  async findResource(
    context: RequestContext,
    { clusterId, apiVersion, kind }: Omit<KindRef, 'namespace'>,
  ): Promise<ResourceRef> {
    if (!/^[a-z0-9./-]{1,320}$/.test(apiVersion))
      throw new Refusal(400, `apiVersion ${JSON.stringify(apiVersion)} is not one`);
    const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const list = (await this.find(context, clusterId, path)) as unknown as ResourceList | undefined;
    const resource = list?.resources.find((r) => r.kind === kind && !r.name.includes('/'));
    if (!resource) throw new Refusal(400, `no matches for kind "${kind}" in version "${apiVersion}"`);
    return { path, plural: resource.name, namespaced: resource.namespaced };
  }

  /** One request to the cluster, in a turn of its own. */
  private async call(
    context: RequestContext,
    clusterId: string,
    {
      method = 'GET',
      path,
      query = '',
      body,
      type = 'application/json',
    }: { method?: string; path: string; query?: string; body?: unknown; type?: string },
  ): Promise<unknown> {
    const headers = { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': type }) };
    const request: ApiRequest = {
      method,
      path,
      query,
      headers,
      body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
      user: userOf(context.principal!),
    };
    const response = await this.gate.turn(context, request.body?.length ?? 0, () =>
      this.host.request(clusterId, request),
    );
    if (response.type !== 'body') throw new Refusal(400, 'this is a stream');
    const answer = this.parseAnswer(context, response);
    if (response.status >= 400)
      throw new Refusal(response.status, answer.message ?? `the cluster answered ${response.status}`);
    return answer;
  }

  /** The engine counts what it does itself; reading its answer here, and printing it again, are the tenant's too. */
  private parseAnswer(context: RequestContext, { body }: BodyResponse): { message?: string } {
    const startedAt = performance.now();
    const answer = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')) as object;
    this.gate.recordCost(context, PARSE_AND_PRINT * (performance.now() - startedAt));
    return answer;
  }
}

function collection({ path, plural, namespaced }: ResourceRef, namespace: string | undefined): string {
  return namespaced && namespace
    ? `${path}/namespaces/${encodeURIComponent(namespace)}/${plural}`
    : `${path}/${plural}`;
}

function withLastApplied(object: KubeObject): KubeObject {
  const { [LAST_APPLIED]: _, ...annotations } = object.metadata.annotations ?? {};
  const bare = { ...object, metadata: { ...object.metadata, annotations } };
  return {
    ...bare,
    metadata: { ...bare.metadata, annotations: { ...annotations, [LAST_APPLIED]: `${JSON.stringify(bare)}\n` } },
  };
}
