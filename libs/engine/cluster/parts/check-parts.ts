import type { Pod } from '../../api/core_v1.js';
import { findTarget } from '../../apiserver/connect/proxy/outside.js';
import type { ChecksParts } from '../../checks/index.js';
import { EndpointSlices, Pods } from '../../kinds/index.js';
import { findHost } from '../../kinds/terrarium/noderuntime/hosts.js';
import type { CheckFunctions, CheckProbe } from '../../kinds/terrarium/check/kind.js';
import { EvaluationError } from '../../machinery/cel/index.js';
import type { Dial, PodHttpAnswer } from '../../machinery/requests/http.js';
import { parseAddress } from '../../machinery/net/netip.js';
import { ApiError } from '../../machinery/meta/status.js';
import { SECOND, type Millis } from '../../machinery/time/time.js';
import { parseTraceEnd, type TraceEnd, type Tracer } from '../../machinery/questions/trace.js';
import { enterCluster, onNode, podLogs, SHELL, shellPod, type ImageCatalog, type Machines } from '../../node/index.js';
import type { Registry } from '../../runtime/registry.js';
import type { State } from '../../runtime/state/state.js';

/** What a look into a container may take and bring. */
const COMMAND_TIME: Millis = 10 * SECOND;
const MAX_OUTPUT = 64 * 1024;
const LOG_LINES = 2_000;
const MAX_ARGUMENTS = 64;
/** What a client outside gives up after. */
const PROBE_TIME: Millis = 5 * SECOND;
const LEAST_FAILURE = 400;
const SERVICE_NAME = 'kubernetes.io/service-name';
const URL_TEXT = /^(https?):\/\/([A-Za-z0-9.-]*)(?::(\d{1,5}))?(\/[^\s#]*)?$/;

export interface CheckOptions {
  readonly state: State;
  readonly registry: Registry;
  readonly images: ImageCatalog;
  readonly machines: Machines;
  readonly dialPod: Dial;
  readonly trace: Tracer;
  /** Whether the controllers run in this process. */
  readonly runs: boolean;
}

/** What checks look into: containers, the network and what the cluster answers to the world. A look changes nothing. */
export function checkParts(options: CheckOptions): ChecksParts {
  const { state, registry, runs } = options;
  return {
    state,
    registry,
    runs,
    functions: functionsOf(options),
    probe: ({ probe }) => probeOutside(options, probe!),
  };
}

function functionsOf(options: CheckOptions): CheckFunctions {
  const { state, trace } = options;
  return {
    readyEndpoints: (service) => BigInt(countReady(state, service)),
    logs: (pod, container) => readLogs(options, pod, container),
    run: (place, container, argv) => runCommand(options, place, container, argv),
    file: (place, container, path) => readFile(options, place, container, path),
    connects: (from, to, port, protocol) => {
      const question = {
        ...{ from: endOf(from), to: endOf(to), protocol: protocolOf(protocol) },
        ...(port === 0n ? {} : { port: Number(port) }),
      };
      const answer = trace(question, state.now);
      if (typeof answer === 'string') throw new EvaluationError(answer);
      return answer.verdict === 'Delivered';
    },
    fetch: (url) => {
      const answer = askOutside(options, { url });
      if ('error' in answer) return { status: 0, body: answer.error };
      return { status: answer.status, body: (answer.body ?? '').slice(0, MAX_OUTPUT) };
    },
  };
}

/** Of both families together: an endpoint of a pod counts once. */
function countReady(state: State, service: string): number {
  if (!service.includes('/')) throw new EvaluationError(`a Service is asked by 'NAMESPACE/NAME', not by '${service}'`);
  const [namespace = '', name = ''] = service.split('/');
  const ready = new Set<string>();
  for (const { metadata, endpoints } of state.list(EndpointSlices, namespace)) {
    if (metadata.labels?.[SERVICE_NAME] !== name) continue;
    for (const { conditions, targetRef, addresses } of endpoints ?? [])
      if (conditions?.ready !== false) ready.add(targetRef?.name ?? addresses[0] ?? '');
  }
  return ready.size;
}

function mustFindPod(state: State, text: string): Pod {
  const [namespace = '', name = ''] = text.split('/');
  const pod = state.get(Pods, { namespace, name });
  if (!pod) throw new EvaluationError(`pods "${text}" not found`);
  return pod;
}

function readLogs({ state, images, machines }: CheckOptions, text: string, container: string): string {
  const pod = mustFindPod(state, text);
  const name = container || (pod.spec.containers[0]?.name ?? '');
  const options = { container: name, previous: false, follow: false, timestamps: false, tailLines: LOG_LINES };
  try {
    const answer = podLogs(pod, options, state.now, images, state, machines);
    return answer.type === 'body' ? String(answer.body).slice(-MAX_OUTPUT) : '';
  } catch (error) {
    if (error instanceof ApiError) throw new EvaluationError(error.message);
    throw error;
  }
}

/** In a copy of the pod's machine, or of the machine that a shell of a node is in. */
function runCommand(
  { state, machines }: CheckOptions,
  place: string,
  container: string,
  argv: readonly string[],
): { readonly code: number; readonly output: string } {
  if (argv.length === 0 || argv.length > MAX_ARGUMENTS)
    throw new EvaluationError(`a command has 1 to ${MAX_ARGUMENTS} words`);
  const node = place.startsWith('node/') ? findHost(state, place.slice(5)) : undefined;
  if (place.startsWith('node/') && !node) throw new EvaluationError(`nodes "${place.slice(5)}" not found`);
  const pod = node ? shellPod(node) : mustFindPod(state, place);
  const view = machines.viewOf(pod);
  const name = node ? SHELL : container || (pod.spec.containers[0]?.name ?? '');
  const status = view.statuses.get(name);
  if (!status?.state?.running || !status.containerID) throw new EvaluationError(`container not found ("${name}")`);
  const command = node ? onNode(argv) : argv;
  const { code, output } = machines.tryCommand(view, status.containerID, command, state.now, COMMAND_TIME);
  return { code, output: output.slice(0, MAX_OUTPUT) };
}

function readFile(options: CheckOptions, place: string, container: string, path: string): string {
  const { code, output } = runCommand(options, place, container, ['cat', '--', path]);
  if (code !== 0) throw new EvaluationError(output.trim() || `cat ends with ${code}`);
  return output;
}

function endOf(text: string): TraceEnd {
  const end = parseTraceEnd(text, (address) => parseAddress(address) !== undefined);
  if (!end) throw new EvaluationError(`"${text}" is no pod, service, node, address or name`);
  return end;
}

function protocolOf(text: string): 'TCP' | 'UDP' | 'SCTP' {
  if (text === 'TCP' || text === 'UDP' || text === 'SCTP') return text;
  throw new EvaluationError(`"${text}" is not TCP, UDP or SCTP`);
}

/** Why a request of a probe has failed, as a client would say. */
function probeOutside(options: CheckOptions, probe: CheckProbe): string | undefined {
  const answer = askOutside(options, probe);
  const { method = 'GET', url, status, body } = probe;
  const failed = (why: string): string => `${method} ${url}: ${why}`;
  if ('error' in answer) return failed(answer.error);
  if (status === undefined ? answer.status >= LEAST_FAILURE : answer.status !== status)
    return failed(`answered ${answer.status}`);
  if (body !== undefined && !(answer.body ?? '').includes(body)) return failed('the body is another');
  return undefined;
}

/** As a browser outside the cluster would; what serves it does not remember it. */
function askOutside(options: CheckOptions, probe: CheckProbe): PodHttpAnswer | { readonly error: string } {
  const { state, machines, dialPod } = options;
  const match = URL_TEXT.exec(probe.url);
  if (!match) throw new EvaluationError(`"${probe.url}" is no http or https URL`);
  const [, scheme, host = '', port, path = '/'] = match;
  const where = [scheme === 'https' ? 'https:' : '', host, host && port ? ':' : '', port ?? ''].join('');
  const target = findTarget(state, where);
  if (!target) return { error: `no such host: nothing in the cluster is called "${host || port}"` };
  const request = {
    ...{ scheme: target.scheme, port: target.port, method: probe.method ?? 'GET', path, body: '' },
    headers: { host: target.host, 'user-agent': 'terrarium-check', accept: '*/*' },
  };
  const answer = enterCluster(machines, dialPod, target.address, request, state.now);
  if ('session' in answer) return { error: 'no answer yet' };
  if ('error' in answer) return answer;
  return (answer.delayMs ?? 0) > PROBE_TIME ? { error: 'context deadline exceeded' } : answer;
}
