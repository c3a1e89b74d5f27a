import type { ContainerStatus, Pod } from '../../api/core_v1.js';
import { kubeletRefusal } from '../../kinds/terrarium/noderuntime/kubelet-dial.js';
import { forbiddenField, invalidValue, Path, type FieldError } from '../../machinery/meta/field.js';
import type { BodyResponse, StreamResponse, PodLogOptions } from '../../machinery/requests/http.js';
import { ApiError, badRequest, internalError, invalid } from '../../machinery/meta/status.js';
import type { Call } from '../call.js';
import { getStored } from '../verbs/get.js';
import { textResponse } from '../response/writers.js';
import { findFailedDial } from './pod-connection.js';

/** GET pods/log. Models pkg/registry/core/pod LogLocation and the kubelet's validateContainerLogStatus. */
export function logs(call: Call): BodyResponse | StreamResponse {
  const pod = getStored(call) as Pod;
  const options = logOptions(call, pod);
  if (!pod.spec.nodeName) return textResponse(200, '');
  const failed = findFailedDial(call, pod, `containerLogs/${options.container}`, queryOf(options));
  // No Status of its own: what the API server's client of the kubelet says.
  if (failed) throw new ApiError(500, '', `Get "${failed.url}": ${failed.error}`);
  const refusal = kubeletRefusal(call.server.state, pod.spec.nodeName, 'get');
  if (refusal !== undefined) throw internalError(refusal);
  checkStarted(pod, options);
  return call.server.logs?.(pod, options, call.now) ?? textResponse(200, '');
}

/** What the kubelet is asked for of a container's log. Models LogLocation. */
function queryOf(options: PodLogOptions): [string, string][] {
  const { follow, previous, timestamps, tailLines, sinceSeconds, sinceTime, limitBytes } = options;
  const flags = Object.entries({ follow, previous, timestamps }).flatMap(([name, isSet]) => (isSet ? [name] : []));
  const values = Object.entries({ tailLines, sinceSeconds, sinceTime, limitBytes });
  return [
    ...flags.map((name): [string, string] => [name, 'true']),
    ...values.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]])),
  ];
}

function logOptions(call: Call, pod: Pod): PodLogOptions {
  const { query } = call;
  const [tailLines, sinceSeconds, limitBytes] = [
    query.integer('tailLines'),
    query.integer('sinceSeconds'),
    query.integer('limitBytes'),
  ];
  const sinceTime = query.text('sinceTime') || undefined;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalidValue(Path.of('tailLines'), tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalidValue(Path.of('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbiddenField(Path.of(''), 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalidValue(Path.of('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  if (sinceTime !== undefined && Number.isNaN(Date.parse(sinceTime)))
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(sinceTime)} as "2006"`,
    );
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, call.name, errors);
  return {
    container: containerOf(pod, query.text('container')),
    follow: query.flag('follow'),
    previous: query.flag('previous'),
    timestamps: query.flag('timestamps'),
    tailLines,
    sinceSeconds,
    sinceTime,
    limitBytes,
  };
}

export function containerOf(pod: Pod, asked: string): string {
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  const all = [...initContainers, ...containers, ...ephemeralContainers].map((c) => c.name);
  const name = pod.metadata.name;
  if (asked) {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
    return asked;
  }
  if (containers.length === 1) return containers[0]!.name;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
}

function checkStarted(pod: Pod, { container, previous }: PodLogOptions): void {
  const subject = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)}`;
  const status = statusOf(pod, container);
  if (!status) throw badRequest(`${subject} is not available`);
  const { state = {}, lastState = {} } = status;
  if (previous) {
    if (!lastState.terminated?.containerID) throw badRequest(`previous terminated ${subject} not found`);
    return;
  }
  if (state.running || lastState.terminated?.containerID) return;
  if (state.terminated) {
    if (!state.terminated.containerID) throw badRequest(`${subject} is terminated`);
    return;
  }
  const reason = state.waiting?.reason;
  if (reason === 'ErrImagePull') throw badRequest(`${subject} is waiting to start: image can't be pulled`);
  if (reason === 'ImagePullBackOff')
    throw badRequest(`${subject} is waiting to start: trying and failing to pull image`);
  throw badRequest(
    reason ? `${subject} is waiting to start: ${reason}` : `${subject} is waiting to start - no logs yet`,
  );
}

function statusOf(pod: Pod, container: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (s) => s.name === container,
  );
}
