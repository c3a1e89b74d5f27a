import type { ContainerStatus, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { isRuntimeDown } from '../../../kinds/terrarium/noderuntime/kubelet-dial.js';
import type { Reader } from '../../../machinery/client.js';
import type { BodyResponse, PodLogOptions, StreamResponse } from '../../../machinery/requests/http.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { truncateUtf8, utf8Length } from '../../../machinery/text/utf8.js';
import type { ImageCatalog, LogLine, Process } from '../../cri/image.js';
import { networkOf, processOf, type Network } from '../container/process.js';
import { heardLines } from '../pod/heard-lines.js';
import { ProbeLines } from '../prober/probe-lines.js';
import { exactRun, runsOf, statusesOf } from '../../cri/records/course.js';
import type { Machines } from '../../cri/machines.js';
import { findLogRun, type LogRun } from './log-run.js';

const HEADERS = { 'content-type': 'text/plain' };
/** How often a followed log is read again at least: what acts on a container from outside is not foreseen. */
const FOLLOW_PERIOD = SECOND / 4;
/** How often it is read at most, however often its container writes. */
const MIN_FOLLOW_PERIOD = 20;

/**
 * `kubectl logs`: a pure function of the pod's status, the image's catalogue entry and the time. A followed log ends
 * with its run: when `read` no longer shows it, or a second after its process has ended. Throws ApiError 400.
 * Models pkg/kubelet/kuberuntime/logs ReadLogs.
 */
export function podLogs(
  pod: Pod,
  options: PodLogOptions,
  now: Millis,
  images: ImageCatalog,
  read?: Reader,
  machines?: Machines,
): StreamResponse | BodyResponse {
  const node: LogSource = { images, read, machines };
  const run = startedExactly(findLogRun(pod, options.container, options.previous ?? false), pod, machines);
  if (read && isRuntimeDown(read, pod.spec.nodeName)) {
    const body = `unable to retrieve container logs for ${run.containerID}`;
    return { type: 'body', status: 200, headers: HEADERS, body };
  }
  const before = processOfRun(pod, run, now, node);
  const isEnded = !options.follow || run.finishedAt !== undefined;
  const text = isEnded && isWhole(options) ? before?.logText?.(untilOf(run, now)) : undefined;
  if (text !== undefined) {
    return { type: 'body', status: 200, headers: HEADERS, body: truncate(text, options.limitBytes) };
  }
  const all = before?.lines(untilOf(run, now)) ?? [];
  const selected = selectLines(all, run, options, now);
  const first = truncate(renderLines(selected, run, options), options.limitBytes);
  if (isEnded) return { type: 'body', status: 200, headers: HEADERS, body: first };
  let written = all.length + (before?.droppedLines?.(untilOf(run, now)) ?? 0);
  let left = options.limitBytes === undefined ? Infinity : options.limitBytes - utf8Length(first);
  let opening: string | undefined = first;
  return {
    type: 'stream',
    status: 200,
    headers: HEADERS,
    next(now) {
      const current = read?.get(Pods, keyOf(pod));
      // The change that shows a run's end may be seen a moment before its time.
      const at = Math.max(now, endOf(current, run) ?? now);
      const process = processOfRun(pod, run, at, node);
      const lines = process ? linesFrom(process, written, untilOf(run, at)) : [];
      const added = truncate(renderLines(lines, run, options), left);
      const chunk = (opening ?? '') + added;
      left -= utf8Length(added);
      opening = undefined;
      written += lines.length;
      const { exit } = process ?? {};
      const hasExited = exit !== undefined && at >= run.startedAt + exit.afterMs + SECOND;
      const isGone = read !== undefined && !isRunning(current, run);
      const done = isGone || hasExited || left <= 0;
      return done ? { chunk, done } : { chunk, done, wakeAt: nextReadOf(process, written, run, at) };
    },
  };
}

/** All lines of both streams are asked for, without their times. */
const isWhole = ({ stream, sinceSeconds, sinceTime: since, tailLines, timestamps }: PodLogOptions): boolean =>
  !timestamps && [stream, sinceSeconds, since, tailLines].every((option) => option === undefined);

/** By when a run that has ended since has written all. */
function endOf(pod: Pod | undefined, { containerID }: LogRun): Millis | undefined {
  const ended = containerStatusesOf(pod)
    .flatMap(({ state, lastState }) => [state?.terminated, lastState?.terminated])
    .find((terminated) => terminated?.containerID === containerID);
  return ended?.finishedAt === undefined ? undefined : parseTimestamp(ended.finishedAt) + SECOND - 1;
}

/** When something more may have been written. */
function nextReadOf(process: Process | undefined, written: number, { startedAt }: LogRun, at: Millis): Millis {
  const latest = at + FOLLOW_PERIOD;
  if (!process) return latest;
  const next = process.isMachine
    ? (process.quietUntil?.(at - startedAt) ?? Infinity)
    : (linesFrom(process, written, latest - startedAt)[0]?.at ?? Infinity);
  return Math.min(latest, Math.max(at + MIN_FOLLOW_PERIOD, startedAt + next));
}

const linesFrom = (process: Process, index: number, until: Millis): readonly LogLine[] =>
  process.linesFrom?.(index, until) ?? process.lines(until).slice(index);

/** A status has whole seconds: the PodRuntime knows the very moment of a run's start. */
function startedExactly(run: LogRun, pod: Pod, machines: Machines | undefined): LogRun {
  if (!machines) return run;
  const { statuses, records } = machines.viewOf(pod);
  return exactRun(run, runsOf(pod, statuses, records));
}

/**
 * The ms of a run that are to be read. A status has whole seconds: what came before the end belongs to the log, so that
 * the last second counts fully.
 */
const untilOf = ({ startedAt, finishedAt }: LogRun, now: Millis): Millis =>
  (finishedAt === undefined ? now : Math.min(now, finishedAt + SECOND - 1)) - startedAt;

interface LogSource {
  readonly images: ImageCatalog;
  readonly read: Reader | undefined;
  readonly machines: Machines | undefined;
}

function processOfRun(pod: Pod, run: LogRun, now: Millis, { images, read, machines }: LogSource): Process | undefined {
  const network =
    read && run.finishedAt === undefined ? networkOf(read, pod.metadata.namespace ?? '') : formerNetwork(run);
  const ofStatus = { ...run, image: run.status.image };
  if (!machines) return processOf(images, ofStatus, { pod, read }, network);
  const process = machines.processOf(machines.viewOf(pod), ofStatus, { pod, read }, network, now, true);
  if (!process || !read) return process;
  const isPlain = !machines.logsRequests(machines.viewOf(pod), run.container.name);
  if (isPlain && heardLines(read, pod).length === 0) return process;
  return withRequests(process, pod, run, { read, now, machines });
}

/**
 * A server that logs what it is asked: who has asked remembers the lines, or its PodRuntime when that is gone. Those
 * of probes follow from the time. Machines are looked at as they are now, also for a run of the past: to go back is to
 * make all of them again.
 */
function withRequests(
  process: Process,
  pod: Pod,
  { startedAt, container }: LogRun,
  { read, now, machines }: { readonly read: Reader; readonly now: Millis; readonly machines: Machines },
): Process {
  const probes = new ProbeLines({ pod, container, process, read });
  const lines = (until: Millis): readonly LogLine[] => {
    const asked = [...heardLines(read, pod), ...machines.questionsTo(pod.metadata.uid ?? '', now)];
    const others = asked.map(({ at, text }) => ({ at: at - startedAt, text }));
    const during = [...others.filter(({ at }) => at >= 0 && at <= until), ...probes.lines(until)];
    return during.length === 0 ? process.lines(until) : mergeByTime(process.lines(until), during);
  };
  const droppedLines = (until: Millis): number => (process.droppedLines?.(until) ?? 0) + probes.dropped(until);
  return {
    ...process,
    lines,
    logText: undefined,
    droppedLines,
    linesFrom: (index, until) => lines(until).slice(Math.max(0, index - droppedLines(until))),
  };
}

const mergeByTime = (own: readonly LogLine[], others: readonly LogLine[]): LogLine[] =>
  [...own, ...others].sort((a, b) => a.at - b.at);

/** What an ended run waited for came just before its end. */
function formerNetwork({ finishedAt }: LogRun): Network {
  const isThere = (at: Millis): boolean => finishedAt !== undefined && at >= finishedAt - SECOND;
  return { resolves: (_host, at) => isThere(at), connects: (_host, _port, at) => isThere(at) };
}

function selectLines(
  lines: readonly LogLine[],
  { startedAt }: LogRun,
  options: PodLogOptions,
  now: Millis,
): readonly LogLine[] {
  const since = sinceTime(options, now);
  const { stream } = options;
  const wanted = stream === undefined ? lines : lines.filter((line) => (line.stream ?? 'stdout') === stream);
  const recent = since === undefined ? wanted : wanted.filter((line) => startedAt + line.at >= since);
  if (options.tailLines === undefined) return recent;
  return options.tailLines <= 0 ? [] : recent.slice(-options.tailLines);
}

function sinceTime({ sinceSeconds, sinceTime: time }: PodLogOptions, now: Millis): Millis | undefined {
  if (sinceSeconds !== undefined) return now - sinceSeconds * SECOND;
  return time ? parseTimestamp(time) : undefined;
}

/** Models logWriter.write: a part of a line has no newline, and what follows it no time of its own. */
function renderLines(lines: readonly LogLine[], { startedAt }: LogRun, { timestamps }: PodLogOptions): string {
  let rendered = '';
  let isPart = false;
  for (const { at, text, isPartial } of lines) {
    if (timestamps && !isPart) rendered += `${nanoTimestamp(startedAt + at)} `;
    rendered += text;
    if (!isPartial) rendered += '\n';
    isPart = isPartial === true;
  }
  return rendered;
}

/** Go's RFC3339Nano with all nine digits. */
const nanoTimestamp = (at: Millis): string => new Date(at).toISOString().replace('Z', '000000Z');

/** As many whole characters as fit; upstream cuts the one that does not in two. */
const truncate = (text: string, limitBytes: number | undefined): string =>
  limitBytes === undefined ? text : truncateUtf8(text, limitBytes);

const isRunning = (pod: Pod | undefined, { containerID }: LogRun): boolean =>
  containerStatusesOf(pod).some((s) => s.containerID === containerID && s.state?.running !== undefined);

const containerStatusesOf = (pod: Pod | undefined): ContainerStatus[] => (pod ? [...statusesOf(pod).values()] : []);
