import type { Container, ContainerStatus, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import type { BodyResponse, PodLogOptions, StreamResponse } from '../../../machinery/http.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { ImageCatalog, LogLine, Process } from '../../cri/image.js';
import { networkOf, processOf } from '../container/process.js';

const HEADERS = { 'content-type': 'text/plain' };
/** How often a followed log is looked at again. */
const FOLLOW_EVERY = SECOND / 4;

interface Run {
  readonly container: Container;
  readonly status: ContainerStatus;
  readonly id: string;
  readonly startedAt: Millis;
  readonly finishedAt: Millis | undefined;
}

const containerOf = (pod: Pod, name: string): Container | undefined =>
  [
    ...pod.spec.containers,
    ...(pod.spec.initContainers ?? []),
    ...((pod.spec.ephemeralContainers ?? []) as Container[]),
  ].find((c) => c.name === name);

/**
 * The run whose log is asked for. Throws 400 in the kubelet's words. Models kubelet_pods.go validateContainerLogStatus.
 */
function runOf(pod: Pod, { container: name, previous }: PodLogOptions): Run {
  const { status } = pod;
  const found = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ].find((s) => s.name === name);
  const container = containerOf(pod, name);
  if (!found || !container) throw badRequest(`container "${name}" in pod "${pod.metadata.name}" is not available`);
  const last = found.lastState?.terminated;
  if (previous) {
    if (!last?.containerID)
      throw badRequest(`previous terminated container "${name}" in pod "${pod.metadata.name}" not found`);
    return ended(container, found, last);
  }
  const { running, terminated, waiting } = found.state ?? {};
  if (running)
    return {
      container,
      status: found,
      id: found.containerID ?? '',
      startedAt: parseTimestamp(running.startedAt ?? ''),
      finishedAt: undefined,
    };
  if (terminated?.containerID) return ended(container, found, terminated);
  if (last?.containerID) return ended(container, found, last);
  switch (waiting?.reason) {
    case 'ErrImagePull':
      throw badRequest(`container "${name}" in pod "${pod.metadata.name}" is waiting to start: image can't be pulled`);
    case 'ImagePullBackOff':
      throw badRequest(
        `container "${name}" in pod "${pod.metadata.name}" is waiting to start: trying and failing to pull image`,
      );
    default:
      throw badRequest(
        `container "${name}" in pod "${pod.metadata.name}" is waiting to start: ${waiting?.reason ?? 'ContainerCreating'}`,
      );
  }
}

const ended = (
  container: Container,
  status: ContainerStatus,
  t: { containerID?: string; startedAt?: string; finishedAt?: string },
): Run => ({
  container,
  status,
  id: t.containerID ?? '',
  startedAt: parseTimestamp(t.startedAt ?? ''),
  finishedAt: parseTimestamp(t.finishedAt ?? ''),
});

/**
 * The process of a run, as far as what it was given can still be read. What a finished one waited for came just before
 * its end.
 */
function processOfRun(
  pod: Pod,
  { container, status, id, startedAt, finishedAt }: Run,
  images: ImageCatalog,
  read: Reader | undefined,
): Process | undefined {
  const there = (at: Millis): boolean => finishedAt !== undefined && at >= finishedAt - SECOND;
  const network =
    read && finishedAt === undefined
      ? networkOf(read, pod.metadata.namespace ?? '')
      : {
          resolves: (_host: string, at: Millis) => there(at),
          connects: (_host: string, _port: number, at: Millis) => there(at),
        };
  return processOf(images, { container, image: status.image, containerID: id, startedAt }, { pod, read }, network);
}

/** What one run has written until a time. */
function linesOf(pod: Pod, run: Run, images: ImageCatalog, now: Millis, read: Reader | undefined): readonly LogLine[] {
  const { startedAt, finishedAt } = run;
  // A status keeps whole seconds: what came before the end belongs to the log, so the last second counts fully.
  const until = finishedAt === undefined ? now : Math.min(now, finishedAt + SECOND - 1);
  const process = processOfRun(pod, run, images, read);
  return process ? process.lines(until - startedAt) : [];
}

const stamp = (at: Millis): string => new Date(at).toISOString().replace('Z', '000000Z');

function render(lines: readonly LogLine[], run: Run, options: PodLogOptions): string {
  const { startedAt } = run;
  return lines.map((l) => (options.timestamps ? `${stamp(startedAt + l.at)} ${l.text}\n` : `${l.text}\n`)).join('');
}

function selected(lines: readonly LogLine[], run: Run, options: PodLogOptions, now: Millis): readonly LogLine[] {
  const since =
    options.sinceSeconds !== undefined
      ? now - options.sinceSeconds * SECOND
      : options.sinceTime
        ? parseTimestamp(options.sinceTime)
        : undefined;
  const recent = since === undefined ? lines : lines.filter((l) => run.startedAt + l.at >= since);
  return options.tailLines === undefined ? recent : options.tailLines <= 0 ? [] : recent.slice(-options.tailLines);
}

const limited = (text: string, limitBytes: number | undefined): string =>
  limitBytes === undefined ? text : text.slice(0, limitBytes);

const stillRuns = (pod: Pod | undefined, run: Run): boolean =>
  [...(pod?.status.containerStatuses ?? []), ...(pod?.status.initContainerStatuses ?? [])].some(
    (s) => s.containerID === run.id && s.state?.running !== undefined,
  );

/**
 * `kubectl logs`: a pure function of the pod's status, the image's catalogue entry and the time. A followed log ends
 * when
 * `read` no longer shows that run. Throws ApiError 400.
 */
export function podLogs(
  pod: Pod,
  options: PodLogOptions,
  now: Millis,
  images: ImageCatalog,
  read?: Reader,
): StreamResponse | BodyResponse {
  const run = runOf(pod, options);
  const all = linesOf(pod, run, images, now, read);
  const first = limited(render(selected(all, run, options, now), run, options), options.limitBytes);
  if (!options.follow || run.finishedAt !== undefined)
    return { type: 'body', status: 200, headers: HEADERS, body: first };
  let written = all.length;
  let left = options.limitBytes === undefined ? Infinity : options.limitBytes - first.length;
  let opening: string | undefined = first;
  return {
    type: 'stream',
    status: 200,
    headers: HEADERS,
    next(at) {
      const over = read !== undefined && !stillRuns(read.get(Pods, keyOf(pod)), run);
      const lines = linesOf(pod, run, images, at, read);
      const text = (opening ?? '') + limited(render(lines.slice(written), run, options), left);
      left -= text.length - (opening?.length ?? 0);
      opening = undefined;
      written = Math.max(written, lines.length);
      const process = processOfRun(pod, run, images, read);
      const done =
        over || left <= 0 || (process?.exit !== undefined && at >= run.startedAt + process.exit.afterMs + SECOND);
      return done ? { chunk: text, done } : { chunk: text, done, wakeAt: at + FOLLOW_EVERY };
    },
  };
}
