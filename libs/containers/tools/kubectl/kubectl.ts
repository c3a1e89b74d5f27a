import { type Bytes, bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { waitToRead } from '../../../engine/kernel/process/program.js';
import { ageSince, timestamp } from '../../../engine/machinery/time/time.js';
import { readSmallFile } from '../accounts.js';
import type { FilterContext } from '../filter.js';
import { beginFetch, continueFetch, type Fetch, type FetchAnswer } from '../network/fetch.js';
import { defineSteps } from '../steps.js';
import { KubectlFailure, planRequests, type Step } from './plan.js';
import { readDiscovery, type ServerResource } from './resources.js';

type KubectlState = {
  command: string;
  words: string[];
  values: Record<string, string>;
  /** Files of -f that are still to be read; '-' is standard input. */
  manifest: string;
  readsStdin: boolean;
  resources: ServerResource[];
  discovered: number;
  steps: Step[];
  /** -1: the requests are not planned. */
  index: number;
  fetch: Fetch | null;
  /** The resourceVersion before an apply. */
  before: string;
  code: number;
};

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
const WITH_VALUE: Readonly<Record<string, string>> = {
  ...{ n: 'namespace', namespace: 'namespace', o: 'output', output: 'output', l: 'selector', selector: 'selector' },
  ...{
    f: 'filename',
    filename: 'filename',
    replicas: 'replicas',
    p: 'patch',
    patch: 'patch',
    type: 'type',
    tail: 'tail',
  },
  ...{ c: 'container', container: 'container', 'field-selector': 'field-selector' },
};
const FLAGS: Readonly<Record<string, string>> = {
  ...{ A: 'all-namespaces', 'all-namespaces': 'all-namespaces', all: 'all', 'ignore-not-found': 'ignore-not-found' },
  ...{ previous: 'previous', 'no-headers': 'no-headers', client: 'client' },
};
const TWO_WORDS = ['set', 'rollout'];
const KNOWN = ['get', 'delete', 'apply', 'create', 'scale', 'patch', 'logs', 'set image', 'rollout restart', 'version'];

/** kubectl in a pod: it speaks to the API server as the pod's service account. */
export const kubectl = defineSteps<KubectlState>({
  start(tool) {
    try {
      return readCommand(tool);
    } catch (error) {
      return fail(tool, error);
    }
  },
  step(tool, state) {
    try {
      if (state.readsStdin && !takeStdin(tool, state)) return waitToRead(0);
      if (state.fetch === null) {
        const request = nextRequest(tool, state);
        if (request === undefined) return state.code;
        state.fetch = send(tool, request);
      }
      const outcome = continueFetch(tool.sys, state.fetch);
      if ('wait' in outcome) return outcome.wait;
      const { host, port } = state.fetch;
      state.fetch = null;
      if (!('answer' in outcome)) {
        tool.err(
          `The connection to the server ${host}:${port} was refused - did you specify the right host or port?\n`,
        );
        return 1;
      }
      take(tool, state, outcome.answer);
      return { type: 'yield' };
    } catch (error) {
      return fail(tool, error);
    }
  },
});

function fail(tool: FilterContext, error: unknown): number {
  if (!(error instanceof KubectlFailure)) throw error;
  tool.err(`error: ${error.message}\n`);
  return 1;
}

function readCommand(tool: FilterContext): KubectlState | number {
  const words: string[] = [];
  const values: Record<string, string> = {};
  const files: string[] = [];
  const rest = [...tool.args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const isLong = word.startsWith('--');
    const [name = '', given] = isLong ? word.slice(2).split(/=(.*)/s) : [word[1]!, word.slice(2) || undefined];
    const flag = FLAGS[name];
    const key = WITH_VALUE[name];
    if (flag !== undefined) values[flag] = given ?? 'true';
    else if (key === undefined)
      throw new KubectlFailure(isLong ? `unknown flag: --${name}` : `unknown shorthand flag: '${name}' in ${word}`);
    else {
      const value = given?.replace(/^=/, '') ?? rest.shift();
      if (value === undefined) throw new KubectlFailure(`flag needs an argument: ${word}`);
      if (key === 'filename') files.push(value);
      else values[key] = value;
    }
  }
  const first = words.shift() ?? '';
  const command = TWO_WORDS.includes(first) ? `${first} ${words.shift() ?? ''}` : first;
  if (first === '') {
    tool.out('kubectl controls the Kubernetes cluster manager.\n');
    return 0;
  }
  if (!KNOWN.includes(command))
    throw new KubectlFailure(`unknown command "${command}" for "kubectl" (not simulated in a pod)`);
  if (command === 'version') {
    tool.out('Client Version: v1.36.0\nKustomize Version: v5.7.1\n');
    if (values['client'] !== undefined) return 0;
  }
  return {
    ...{ command, words, values, resources: [], discovered: 0, steps: [], index: -1, fetch: null, before: '', code: 0 },
    ...{
      readsStdin: files.includes('-'),
      manifest: files
        .filter((file) => file !== '-')
        .map((file) => readManifest(tool, file))
        .join('\n---\n'),
    },
  };
}

function readManifest(tool: FilterContext, path: string): string {
  if (/^https?:/.test(path)) throw new KubectlFailure(`unable to read URL "${path}", the network is closed`);
  try {
    tool.sys.close(tool.sys.open(path, { read: true }));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new KubectlFailure(
      `the path "${path}" ${error.code === 'ENOENT' ? 'does not exist' : `cannot be accessed: ${error.message.toLowerCase()}`}`,
    );
  }
  return textOf(readSmallFile(tool.sys, path));
}

/** False while standard input has no end. */
function takeStdin({ sys }: FilterContext, state: KubectlState): boolean {
  for (let bytes = sys.read(0); bytes !== ''; bytes = sys.read(0)) {
    if (bytes === undefined) return false;
    state.manifest += bytes;
  }
  state.manifest = textOf(state.manifest);
  state.readsStdin = false;
  return true;
}

const request = (method: string, path: string, accept = 'application/json'): Step => ({
  ...{ method, path, accept, contentType: '', body: '', show: 'look', object: '', verb: '', ignoresMissing: false },
});

function nextRequest(tool: FilterContext, state: KubectlState): Step | undefined {
  if (state.command === 'version') return state.discovered++ === 0 ? request('GET', '/version') : undefined;
  if (state.discovered < 2) return request('GET', state.discovered === 0 ? '/api' : '/apis', DISCOVERY);
  if (state.index < 0) {
    const namespace = readSmallFile(tool.sys, `${ACCOUNT}/namespace`).trim() || 'default';
    const now = timestamp(tool.sys.now);
    state.steps = planRequests(state.command, state, state.resources, namespace, state.manifest, now);
    state.resources = [];
    state.index = 0;
  }
  return state.steps[state.index];
}

function send(tool: FilterContext, { method, path, accept, contentType, body }: Step): Fetch {
  const { sys } = tool;
  const host = sys.env['KUBERNETES_SERVICE_HOST'];
  const token = readSmallFile(sys, `${ACCOUNT}/token`).trim();
  const url =
    host === undefined || token === ''
      ? { scheme: 'http', user: '', host: 'localhost', port: 8_080, path }
      : { scheme: 'https', user: '', host, port: Number(sys.env['KUBERNETES_SERVICE_PORT'] ?? 443), path };
  const bytes = bytesOf(body);
  const lines = [
    `Host: ${url.host}:${url.port}`,
    'User-Agent: kubectl/v1.36.0 (linux/amd64) kubernetes',
    `Accept: ${accept}`,
    ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === '' ? [] : [`Content-Type: ${contentType}`, `Content-Length: ${bytes.length}`]),
  ];
  const head = `${method} ${path} HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
  return beginFetch(sys, { url, request: head + bytes, isHead: false, connectTimeout: 30_000 });
}

interface ApiObject {
  readonly metadata?: { readonly name?: string; readonly resourceVersion?: string };
  readonly reason?: string;
  readonly message?: string;
  readonly gitVersion?: string;
  readonly items?: readonly ApiObject[];
}

function take(tool: FilterContext, state: KubectlState, { status, body }: FetchAnswer): void {
  if (state.command === 'version') {
    tool.out(`Server Version: ${(JSON.parse(textOf(body)) as ApiObject).gitVersion ?? ''}\n`);
    return;
  }
  if (state.discovered < 2) {
    if (status >= 400) throw new KubectlFailure('You must be logged in to the server (Unauthorized)');
    state.discovered++;
    state.resources.push(...readDiscovery(textOf(body)));
    return;
  }
  const step = state.steps[state.index++]!;
  if (status >= 400) {
    if (step.ignoresMissing && status === 404) return;
    const { reason, message } = parseStatus(textOf(body));
    tool.err(bytesOf(`Error from server${reason === '' ? '' : ` (${reason})`}: ${message}\n`));
    state.code = 1;
    return;
  }
  show(tool, state, step, status, body);
}

function parseStatus(text: string): { reason: string; message: string } {
  try {
    const { reason = '', message = '' } = JSON.parse(text) as ApiObject;
    return { reason, message };
  } catch {
    return { reason: '', message: text.trim() };
  }
}

function show(tool: FilterContext, state: KubectlState, step: Step, status: number, body: Bytes): void {
  if (step.show === 'raw') return tool.out(body);
  const text = textOf(body);
  if (step.show === 'yaml-or-json') return tool.out(bytesOf(`${JSON.stringify(JSON.parse(text), null, 4)}\n`));
  if (step.show === 'table') return tool.out(bytesOf(formatTable(JSON.parse(text) as ApiTable, tool, state)));
  const object = JSON.parse(text) as ApiObject;
  if (step.show === 'look') state.before = object.metadata?.resourceVersion ?? '';
  else if (step.show === 'name') {
    const type = step.object.replace(/\/.*/, '');
    for (const one of object.items ?? [object]) tool.out(`${type}/${one.metadata?.name ?? ''}\n`);
  } else if (step.show === 'apply') {
    const isSame = state.before !== '' && state.before === object.metadata?.resourceVersion;
    tool.out(`${step.object} ${status === 201 ? 'created' : isSame ? 'unchanged' : 'configured'}\n`);
    state.before = '';
  } else tool.out(`${step.object} ${step.verb}\n`);
}

interface ApiTable {
  readonly columnDefinitions?: readonly { readonly name: string; readonly priority?: number; readonly type?: string }[];
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object?: { readonly metadata?: { readonly namespace?: string } };
  }[];
}

/** The server's own columns, three spaces apart, as kubectl's printer sets them. */
function formatTable(
  { columnDefinitions = [], rows = [] }: ApiTable,
  tool: FilterContext,
  state: KubectlState,
): string {
  const isWide = state.values['output'] === 'wide';
  const hasNamespace = state.values['all-namespaces'] !== undefined;
  const shown = columnDefinitions.flatMap(({ priority = 0 }, i) => (isWide || priority === 0 ? [i] : []));
  if (rows.length === 0) {
    const namespace = state.values['namespace'] ?? readSmallFile(tool.sys, `${ACCOUNT}/namespace`).trim();
    tool.err(hasNamespace ? 'No resources found\n' : `No resources found in ${namespace} namespace.\n`);
    return '';
  }
  const cellOf = (value: unknown): string => {
    if (value === null || value === undefined) return '<none>';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text) ? ageSince(text, tool.sys.now) : text;
  };
  const head = [...(hasNamespace ? ['NAMESPACE'] : []), ...shown.map((i) => columnDefinitions[i]!.name.toUpperCase())];
  const lines = rows.map(({ cells, object }) => [
    ...(hasNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...shown.map((i) => cellOf(cells[i])),
  ]);
  const all = state.values['no-headers'] === undefined ? [head, ...lines] : lines;
  const widths = head.map((_, c) => Math.max(...all.map((line) => line[c]!.length)) + 3);
  return all
    .map((line) => `${line.map((cell, c) => (c === line.length - 1 ? cell : cell.padEnd(widths[c]!))).join('')}\n`)
    .join('');
}
