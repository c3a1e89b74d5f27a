import { orderedPlugins } from '../admission/ordered-plugins.js';
import { kinds } from '../kinds/index.js';
import { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { ApiRequest, ApiResponse, AppliedChange, WatchResponse } from '../machinery/requests/http.js';
import type { Key, KubeObject } from '../machinery/meta/object.js';
import { encodeUtf8 } from '../machinery/text/utf8.js';
import { Registry } from '../runtime/registry.js';
import { State } from '../runtime/state/state.js';
import { handle } from './handle.js';
import type { Server } from './server.js';
import { Store } from './registry/store.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

export interface Answer {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The body as JSON. */
  readonly body: any;
}

/** A small API server in memory, with the namespaces and service accounts that writes need. For specs. */
export class TestServer {
  readonly state = new State({ now: NOW });
  readonly registry = new Registry(kinds);
  readonly server: Server;
  readonly changes: AppliedChange[] = [];

  constructor(logs?: Server['logs'], dial?: Server['dial']) {
    for (const kind of kinds)
      if (!kind.storedAs)
        for (const [name, of] of Object.entries(kind.indexes ?? {}))
          this.state.addIndex(this.state.resourceOf(kind), name, of);
    const writer = new Store(this.state, this.registry, orderedPlugins, {
      seed: 'seed',
      keys: new ClusterKeys('a secret'),
      dial,
    });
    this.server = { state: this.state, registry: this.registry, writer, logs, dial };
    this.state.onChange = (change) => this.changes.push(change);
    for (const name of ['default', 'kube-system']) {
      this.post('/api/v1/namespaces', { metadata: { name } });
      this.post(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
    }
  }

  raw(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): ApiResponse {
    const [path = '', query = ''] = url.split('?', 2);
    const bytes =
      body === undefined
        ? undefined
        : body instanceof Uint8Array
          ? body
          : encodeUtf8(typeof body === 'string' ? body : JSON.stringify(body));
    const request: ApiRequest = { method, path, query, headers, body: bytes, user: USER };
    return handle(this.server, request, this.state.now);
  }

  call(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Answer {
    const response = this.raw(method, url, body, headers);
    if (response.type !== 'body') throw new Error(`${method} ${url} answered a ${response.type}`);
    const isText = typeof response.body === 'string';
    const text = isText ? (response.body as string) : '';
    const type = String(response.headers['content-type']);
    return {
      status: response.status,
      headers: response.headers,
      text,
      bytes: isText ? encodeUtf8(text) : (response.body as Uint8Array),
      body: type.startsWith('application/json') && text ? JSON.parse(text) : undefined,
    };
  }

  get(url: string, headers?: Record<string, string>): Answer {
    return this.call('GET', url, undefined, headers);
  }

  post(url: string, body: unknown, headers?: Record<string, string>): Answer {
    return this.call('POST', url, body, headers);
  }

  patch(url: string, body: unknown, type = 'merge'): Answer {
    const types: Record<string, string> = {
      merge: 'application/merge-patch+json',
      json: 'application/json-patch+json',
      strategic: 'application/strategic-merge-patch+json',
    };
    return this.call('PATCH', url, body, { 'content-type': types[type] ?? type });
  }

  /** Server-side apply by a manager; `options` are further query parameters: 'force=true'. */
  apply(url: string, manager: string, body: unknown, options = ''): Answer {
    const query = [manager && `fieldManager=${manager}`, options].filter(Boolean).join('&');
    return this.call('PATCH', `${url}?${query}`, body, { 'content-type': 'application/apply-patch+yaml' });
  }

  /** A watch, and a function that returns its frames so far. */
  watch(url: string, headers?: Record<string, string>): { plan: WatchResponse; frames: () => any[] } {
    const plan = this.raw('GET', url, undefined, headers) as WatchResponse;
    const frames = (): any[] => {
      const later = this.changes
        .filter((c) => c.resource === plan.resource && c.revision > plan.fromRevision)
        .map((c) => plan.encode(c));
      return [...plan.initial, ...later].filter((f) => f !== undefined).map((f) => JSON.parse(String(f)));
    };
    return { plan, frames };
  }

  /** Stores an object past admission and validation: for states that only controllers make. */
  put(resource: string, object: KubeObject): void {
    this.state.put(resource, object, 'test', 0);
  }

  object(plural: string, key: Key): any {
    const kind = this.registry.all().find((k) => k.plural === plural && !k.storedAs)!;
    return this.state.get(kind, key);
  }
}

export const TABLE = {
  accept:
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
};
export const PARTIAL = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };

export const pod = (name: string, extra: Record<string, unknown> = {}): unknown => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'app', image: 'nginx' }], ...extra },
});
export const configMap = (name: string, labels?: Record<string, string>): unknown => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data: { a: '1' },
});
export const deployment = (name: string, replicas = 1): unknown => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'nginx' }] } },
  },
});

export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

/** A configuration to apply: a ConfigMap with this data. */
export const configuration = (data: Record<string, string> | undefined, name = 'a') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...(data ? { data } : {}),
});

/** A configuration to apply: the Deployment 'web' with these fields of its spec. */
export const deploymentConfiguration = (
  spec: Record<string, unknown>,
  containers: unknown[] = [{ name: 'app', image: 'nginx' }],
) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers } },
    ...spec,
  },
});

/** The fields of each entry of managedFields, by 'manager/operation' or 'manager/operation/subresource'. */
export const fieldsByManager = (object: any): Record<string, unknown> =>
  Object.fromEntries(
    (object.metadata.managedFields ?? []).map((e: any) => [
      [e.manager, e.operation, e.subresource].filter(Boolean).join('/'),
      e.fieldsV1,
    ]),
  );
