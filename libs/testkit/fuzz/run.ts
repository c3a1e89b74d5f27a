import { catalog } from '@terrarium/containers';
import {
  ApiError,
  Cluster,
  defaultWorkers,
  makeTemplate,
  type ApiResponse,
  type Kind,
  type KubeObject,
} from '@terrarium/engine';
import { Dice } from './dice.js';
import { Requests, type Attempt } from './requests.js';

const ADVANCE_EVERY = 120;
const ADVANCE_MS = 2_000;
const MAX_CHANGES = 200;
/** Most of a processor's time that a request may take: others may share the machine. */
const MAX_CPU_MS = 2_000;
export const MAX_FAILURES = 5;

const template = makeTemplate({ workers: defaultWorkers(2), speed: 'instant' }, catalog);

export interface Failure {
  readonly seed: number;
  readonly step: number;
  readonly what: string;
  readonly request?: string;
}

const described = ({ request }: Attempt): string =>
  `${request.method} ${request.path}?${request.query} ${JSON.stringify(request.headers)} ${Buffer.from(
    request.body ?? [],
  )
    .toString('utf8')
    .slice(0, 1_500)}`;

/**
 * Kubernetes itself answers these with a 5xx: state that is still to come, pods that do not answer, webhooks that
 * cannot be reached.
 */
const isUpstreams = ({ status }: ApiResponse, text: string): boolean =>
  status === 504 || status === 503 || (status === 500 && /failed calling webhook|conversion webhook/.test(text));

const textOf = (response: ApiResponse): string =>
  response.type !== 'body'
    ? ''
    : typeof response.body === 'string'
      ? response.body
      : Buffer.from(response.body).toString('latin1');

/** What is wrong with an answer; undefined when nothing is. */
function fault(cluster: Cluster, response: ApiResponse): string | undefined {
  if (response.type === 'watch')
    return void [...response.initial, response.bookmark(cluster.revision), response.expired(1, 2)];
  if (response.type === 'stream') return void response.next(cluster.state.now);
  const text = textOf(response);
  if (response.status >= 500 && !isUpstreams(response, text)) return `${response.status} ${text.slice(0, 500)}`;
  if (!String(response.headers['content-type']).startsWith('application/json') || text === '') return undefined;
  const answer = JSON.parse(text) as { kind?: string; message?: string } | null;
  return response.status >= 400 && (answer?.kind !== 'Status' || !answer.message)
    ? `a ${response.status} without a message: ${text.slice(0, 300)}`
    : undefined;
}

function storedOf(cluster: Cluster): (kind: Kind, dice: Dice) => KubeObject | undefined {
  const client = cluster.client({ name: 'fuzz', groups: ['system:masters'] });
  return (kind, dice) => (kind.storedAs || kind.evaluate ? undefined : dice.pick(client.list(kind)));
}

/** Every kind is still listed, in every form, and a copy made from what is stored says the same. */
function brokenLists(cluster: Cluster): string[] {
  const list = (of: Cluster, kind: Kind, accept: string): ApiResponse =>
    of.handle(
      {
        method: 'GET',
        path: `${kind.group ? `/apis/${kind.group}` : '/api'}/${kind.version}/${kind.plural}`,
        query: '',
        headers: { accept },
        user: { name: 'admin', groups: ['system:masters'] },
      },
      of.state.now,
    );
  const copy = new Cluster({ seed: 'copy', images: catalog, runs: false });
  copy.load(JSON.parse(JSON.stringify(cluster.checkpoint())) as ReturnType<Cluster['checkpoint']>);
  return cluster.registry
    .all()
    .filter((k) => !k.internal && !k.evaluate && (k.verbs ?? ['list']).includes('list'))
    .flatMap((kind) => {
      const forms = [
        'application/json',
        'application/yaml',
        'application/json;as=Table;v=v1;g=meta.k8s.io',
        'application/vnd.kubernetes.protobuf,application/json',
      ];
      const bad = forms
        .filter((f) => list(cluster, kind, f).status !== 200)
        .map((f) => `${kind.plural}.${kind.group} as ${f}`);
      return textOf(list(cluster, kind, forms[0]!)) === textOf(list(copy, kind, forms[0]!))
        ? bad
        : [...bad, `${kind.plural}.${kind.group} are not what is stored`];
    });
}

const cpuMs = (): number => process.cpuUsage().user / 1000;

/** Sends so many requests to a new cluster; its components run in between. What goes wrong is added to `failures`. */
export function run(seed: number, count: number, failures: Failure[]): void {
  const dice = new Dice(seed);
  const fail = (step: number, what: string, attempt?: Attempt): void =>
    void failures.push({ seed, step, what, ...(attempt ? { request: described(attempt) } : {}) });
  const explain = (error: unknown): string =>
    error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 5).join(' ') : String(error);
  const cluster = new Cluster({
    seed: `fuzz-${seed}`,
    tokenKey: 'k',
    images: catalog,
    onError: (name, key, error) =>
      error instanceof ApiError || fail(-1, `${name} ${key.namespace}/${key.name}: ${explain(error)}`),
  });
  cluster.load(template);
  let now = template.now;
  cluster.advance(now);
  cluster.commit();
  let requests: Requests | undefined;
  let known = -1;
  for (let step = 0; step < count && failures.length < MAX_FAILURES; step++) {
    const kinds = cluster.registry.all();
    if (kinds.length !== known)
      requests = new Requests(dice, { kinds: kinds.filter((k) => !k.internal), stored: storedOf(cluster) });
    known = kinds.length;
    const attempt = requests!.next();
    const mark = cluster.mark();
    const started = cpuMs();
    try {
      const wrong = fault(cluster, cluster.handle(attempt.request, now));
      if (wrong) fail(step, wrong, attempt);
    } catch (error) {
      fail(step, explain(error), attempt);
      cluster.rollback(mark);
    }
    if (step % ADVANCE_EVERY === 0) {
      cluster.advance((now += ADVANCE_MS), MAX_CHANGES);
      cluster.commit();
    }
    const took = cpuMs() - started;
    if (took > MAX_CPU_MS) fail(step, `took ${took.toFixed(0)} ms of the processor`, attempt);
  }
  cluster.commit();
  for (const what of brokenLists(cluster)) fail(count, what);
}
