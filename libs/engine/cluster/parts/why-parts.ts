import { handle, type Server } from '../../apiserver/index.js';
import type { Pod } from '../../api/core_v1.js';
import { ClusterAuth } from '../../auth/cluster-auth.js';
import { repellingTaints, targetNode } from '../../controllers/daemonset/daemonpods.js';
import type { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import type { AskHistory } from '../../machinery/past-change.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Tracer } from '../../machinery/questions/trace.js';
import { decodeUtf8, encodeUtf8 } from '../../machinery/text/utf8.js';
import type { User } from '../../machinery/requests/user.js';
import { Pods } from '../../kinds/index.js';
import { podLogs, readNodeFile, type ImageCatalog, type Machines } from '../../node/index.js';
import type { ComponentName } from '../../runtime/controller.js';
import { PastChanges } from '../../runtime/state/past-changes.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';
import { explainScheduling, findScheduler } from '../../scheduler/index.js';
import type { WhyParts } from '../../why/index.js';

export interface WhyOptions {
  readonly state: State;
  readonly registry: Registry;
  readonly keys: ClusterKeys | undefined;
  readonly images: ImageCatalog;
  readonly machines: Machines;
  readonly trace: Tracer;
  readonly askHistory: AskHistory;
  isEnabled(component: ComponentName, controller?: string): boolean;
  server(): Server;
}

const LOG_LINES = 10;
const ERROR_STATUS = 400;

/** What `why` looks into: the cluster's own state, history, scheduler, machines and API server. */
export function whyParts({ state, registry, keys, images, machines, trace, ...options }: WhyOptions): WhyParts {
  const past = new PastChanges(state, options.askHistory);
  return {
    read: state,
    auth: new ClusterAuth(state, keys),
    kinds: () => registry.all(),
    past: (query) => past.answer(query),
    isEnabled: (component, controller) => options.isEnabled(component, controller),
    hasScheduler: (name) => findScheduler(state.list(Pods), state, name, readNodeFile) !== undefined,
    explainScheduling: (pod) => explainScheduling(pod, state),
    daemonNode: targetNode,
    untoleratedByDaemon: repellingTaints,
    logTail: (pod, container, previous, now) => logTail(pod, container, previous, now, { state, images, machines }),
    trace,
    tryWrite: (user, verb, object, now) => tryWrite(options.server(), registry, { user, verb, object }, now),
  };
}

/** The last lines of a container; none when there are none to be read. */
function logTail(
  pod: Pod,
  container: string,
  previous: boolean,
  now: Millis,
  { state, images, machines }: Pick<WhyOptions, 'state' | 'images' | 'machines'>,
): string[] {
  const options = { container, previous, follow: false, timestamps: false, tailLines: LOG_LINES };
  try {
    const answer = podLogs(pod, options, now, images, state, machines);
    const text = answer.type === 'body' ? String(answer.body) : '';
    return text.split('\n').filter((line) => line !== '');
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

interface TriedWrite {
  readonly user: User;
  readonly verb: 'create' | 'update';
  readonly object: KubeObject;
}

/** A write as the user's, by the whole way of a request, that stores nothing. The message of what refuses it. */
function tryWrite(
  server: Server,
  registry: Registry,
  { user, verb, object }: TriedWrite,
  now: Millis,
): string | undefined {
  const kind = registry.kindFor(object.apiVersion, object.kind);
  if (!kind) return `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
  const root = kind.group ? `/apis/${apiVersionOf(kind.group, kind.version)}` : `/api/${kind.version}`;
  const namespace = object.metadata?.namespace ?? 'default';
  const folder = kind.scope === 'Namespaced' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  const isUpdate = verb === 'update';
  const own = isUpdate ? `/${encodeURIComponent(object.metadata?.name ?? '')}` : '';
  const path = `${root}${folder}/${kind.plural}${own}`;
  const method = isUpdate ? 'PUT' : 'POST';
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const body = encodeUtf8(JSON.stringify(object));
  const answer = handle(server, { method, path, query: 'dryRun=All', headers, body, user }, now);
  if (answer.type !== 'body' || answer.status < ERROR_STATUS) return undefined;
  const text = typeof answer.body === 'string' ? answer.body : decodeUtf8(answer.body);
  return (JSON.parse(text) as { message?: string }).message ?? `the API server answers ${answer.status}`;
}
