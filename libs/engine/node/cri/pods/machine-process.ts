import { isAscii, textOf } from '../../../kernel/bytes.js';
import { SIGNALS } from '../../../kernel/signals.js';
import type { ContainerExit, ContainerView } from '../../../kernel/container.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import type { Millis } from '../../../machinery/time/time.js';
import type { Run } from '../records/course.js';
import type { Forecast, Listening } from '../looks/forecast.js';
import type { LogLine, Process } from '../image.js';
import type { LoadedMachine } from './loaded-machine.js';
import type { PodView } from './pod-view.js';
import type { CommandOutcome } from '../looks/run-command.js';

/** What the kubelet's view of a container asks of the machines (Machines). */
interface PodMachines {
  at(view: PodView, now: Millis): LoadedMachine;
  forecast(view: PodView, containerID: string, now: Millis): Forecast;
  stopping(view: PodView, containerID: string, now: Millis, at: Millis, graceMs: Millis): ContainerExit | undefined;
  tryCommand(
    view: PodView,
    containerID: string,
    argv: readonly string[],
    at: Millis,
    timeoutMs: Millis,
  ): CommandOutcome;
  quietUntil(view: PodView, at: Millis): Millis;
  ask(view: PodView, request: PodHttpRequest, now: Millis): PodHttpAnswer | { readonly error: string };
}

/** 128 and the signal's number. */
const SIGNALED = 128;

export const exitCodeOf = ({ code, signal }: Pick<ContainerExit, 'code' | 'signal'>): number =>
  signal ? SIGNALED + SIGNALS[signal] : code;

/**
 * A container that a machine runs, as the kubelet looks at it at `now`. `summary`: of a server that was looked into,
 * what its image says of it.
 */
export function machineProcess(
  machines: PodMachines,
  view: PodView,
  { containerID, startedAt }: Pick<Run, 'containerID' | 'startedAt'>,
  now: Millis,
  summary?: Process,
): Process {
  const { exit, listening, knownUntil, heavyAt } = machines.forecast(view, containerID, now);
  const since = (at: Millis): Millis => at - startedAt;
  return {
    ...(summary ?? { listens: [], readyAfterMs: 0 }),
    isMachine: true,
    stop: undefined,
    ...(exit
      ? {
          exit: {
            afterMs: Math.max(0, since(exit.at)),
            code: exitCodeOf(exit),
            ...(exit.outOfMemory ? { reason: 'OOMKilled' } : {}),
          },
        }
      : { exit: undefined }),
    ...(knownUntil < Infinity ? { knownUntilMs: since(knownUntil) } : {}),
    ...(heavyAt === undefined ? {} : { heavyAfterMs: since(heavyAt) }),
    ...(summary ? {} : listeningOf(listening, since, view.pod.spec.hostNetwork === true)),
    ...(summary ? {} : { serve: (request, sinceStart) => answerOf(machines, view, request, startedAt + sinceStart) }),
    exec: (argv, sinceStart, timeoutMs) =>
      machines.tryCommand(view, containerID, argv, startedAt + sinceStart, timeoutMs),
    quietUntil: (sinceStart) => since(machines.quietUntil(view, startedAt + sinceStart)),
    stopAt: (sinceStart, graceMs) => {
      const ended = machines.stopping(view, containerID, now, startedAt + sinceStart, graceMs);
      return ended && { afterMs: Math.max(0, since(ended.at) - sinceStart), code: exitCodeOf(ended) };
    },
    lines: (until) => linesOf(machines, view, { containerID, startedAt }, now, until),
    logText: (until) => logTextOf(machines, view, { containerID, startedAt }, now, until),
    linesFrom: (index, until) => linesOf(machines, view, { containerID, startedAt }, now, until, index),
    droppedLines: () => droppedLinesOf(machines, view, containerID, now),
  };
}

/** What its node, and others, find listening: the loopback of a pod with a network of its own is none of theirs. */
function listeningOf(
  listening: readonly Listening[],
  since: (at: Millis) => Millis,
  hasNodesLoopback: boolean,
): Pick<Process, 'changes' | 'isListening'> {
  return {
    changes: listening.map(({ at }) => Math.max(0, since(at))),
    isListening: (port, sinceStart) => {
      const { ports = [], local = [] } = listening.findLast(({ at }) => since(at) <= sinceStart) ?? {};
      return ports.includes(port) && (hasNodesLoopback || !local.includes(port));
    },
  };
}

function answerOf(machines: PodMachines, view: PodView, request: PodHttpRequest, at: Millis): PodHttpAnswer {
  const answer = machines.ask(view, request, at);
  return 'error' in answer ? { status: 502 } : answer;
}

/** Of the machine as it is now, in which an ended run's lines stand as well: to go back is to make it again. */
function linesOf(
  machines: PodMachines,
  view: PodView,
  { containerID, startedAt }: Pick<Run, 'containerID' | 'startedAt'>,
  now: Millis,
  until: Millis,
  from = 0,
): readonly LogLine[] {
  const container = containerAt(machines, view, containerID, now);
  if (!container) return [];
  const lines = container.logsFrom(from, startedAt);
  // A day has a hundred thousand lines: mostly they are what is asked for.
  const isPlain = (lines.at(-1)?.at ?? until) <= until && lines.every(({ text }) => isAscii(text));
  return isPlain ? lines : lines.filter(({ at }) => at <= until).map((line) => ({ ...line, text: textOf(line.text) }));
}

/** A day's lines as objects take more time than to read them. */
function logTextOf(
  machines: PodMachines,
  view: PodView,
  { containerID, startedAt }: Pick<Run, 'containerID' | 'startedAt'>,
  now: Millis,
  until: Millis,
): string | undefined {
  const text = containerAt(machines, view, containerID, now)?.logText(startedAt + until);
  return text === undefined ? undefined : textOf(text);
}

/** Undefined: it has not been started by then. */
function containerAt(machines: PodMachines, view: PodView, id: string, now: Millis): ContainerView | undefined {
  const { machine, runs, failures } = machines.at(view, now);
  return runs.has(id) && !failures.has(id) ? machine.container(id) : undefined;
}

function droppedLinesOf(machines: PodMachines, view: PodView, containerID: string, at: Millis): number {
  const { machine, runs } = machines.at(view, at);
  return runs.has(containerID) ? machine.container(containerID).droppedLines : 0;
}
