import type { Container } from '../../../api/core_v1.js';
import { textOf } from '../../../kernel/bytes.js';
import { SECOND } from '../../../machinery/time/time.js';
import { exitCodeOf } from '../../cri/pods/machine-process.js';
import { digestOf } from '../../digest.js';
import { warningEvent } from '../events/event.js';
import { omit } from '../pod/pod-runtime.js';
import { beginCommand, sendHook } from './lifecycle-hooks.js';
import { applyDecision, startTimeOf, trackContainer, viewOfSync, wakeNoLaterThan, type PodSync } from './pod-sync.js';
import { killRunningContainer } from './stop-container.js';

/** Undefined: it has ended well. */
type Outcome = 'running' | { readonly failure: string } | undefined;

/**
 * Begins the postStart hook of a container that has just started. While it runs the kubelet does nothing else with the
 * pod's start: the API server does not hear that the container runs, the next container does not start, nothing is
 * probed. Models kuberuntime_container.go startContainer.
 */
export function beginPostStart(sync: PodSync, container: Container): void {
  const hook = container.lifecycle?.postStart;
  if (!hook) return;
  const problem = hook.httpGet && sendHook(sync, container, hook.httpGet);
  if (hook.exec) beginCommand(sync, container, 'postStart');
  const outcome: Outcome =
    problem === undefined
      ? findOutcome(sync, container)
      : { failure: describe(sync, container, `HTTP lifecycle hook (${hook.httpGet?.path ?? ''})`, problem) };
  if (outcome === undefined) return;
  const { status, record } = trackContainer(sync, container);
  const session = sessionOf(sync, container);
  const postStart = { status, ...(session === undefined ? {} : { session }) };
  applyDecision(sync, container, { record: { ...record, postStart } });
  if (outcome !== 'running') fail(sync, container, outcome.failure);
}

/** Follows a postStart hook that did not end at once. True: the container is not known to run yet. */
export function followPostStart(sync: PodSync, container: Container): boolean {
  const { record } = trackContainer(sync, container);
  if (!record.postStart) return false;
  if (record.dying) return true;
  const outcome = findOutcome(sync, container);
  if (outcome === undefined) applyDecision(sync, container, { record: omit(record, 'postStart') });
  else if (outcome !== 'running') fail(sync, container, outcome.failure);
  return outcome !== undefined;
}

function findOutcome(sync: PodSync, container: Container): Outcome {
  const { exec, sleep } = container.lifecycle?.postStart ?? {};
  if (exec) return findCommandOutcome(sync, container, exec.command ?? []);
  if (!sleep) return undefined;
  const endsAt = startTimeOf(sync, container) + sleep.seconds * SECOND;
  if (endsAt <= sync.context.now) return undefined;
  wakeNoLaterThan(sync, endsAt);
  return 'running';
}

function findCommandOutcome(sync: PodSync, container: Container, command: readonly string[]): Outcome {
  const { machines, context } = sync;
  const view = viewOfSync(sync);
  if (!machines?.hasFiles(view, container.name)) return undefined;
  const { machine, failures } = machines.at(view, context.now);
  const failedWith = (error: string, output: string): Outcome => ({
    failure: describe(
      sync,
      container,
      `Exec lifecycle hook ([${command.join(' ')}])`,
      `${error}, message: ${JSON.stringify(output)}`,
    ),
  });
  const hook = hookOf(sync, container);
  const why = failures.get(hook);
  if (why !== undefined) return failedWith(cannotStart(digestOf(hook), why), '');
  const session = sessionOf(sync, container);
  if (session === undefined || !machine.hasSession(session)) return undefined;
  const { exit, stdout, stderr } = machine.output(session);
  if (exit === undefined) {
    wakeNoLaterThan(sync, Math.max(context.now + 1, machine.nextWake() ?? Infinity));
    return 'running';
  }
  const code = exitCodeOf(exit);
  if (code === 0) return undefined;
  const printed = textOf(stderr);
  return failedWith(`command '${command.join(' ')}' exited with ${code}: ${printed}`, textOf(stdout) + printed);
}

/** Models runc's words for a command that cannot be started in a container that runs. */
const cannotStart = (id: string, why: string): string =>
  `rpc error: code = Unknown desc = failed to exec in container: failed to start exec "${id}": ` +
  `OCI runtime exec failed: exec failed: unable to start container process: ${why}: unknown`;

const hookOf = (sync: PodSync, container: Container): string =>
  `postStart ${trackContainer(sync, container).status.containerID ?? ''}`;

/** A machine that was made again knows the sessions in it, but not whose they are. */
function sessionOf(sync: PodSync, container: Container): string | undefined {
  const { machines, context } = sync;
  const { record } = trackContainer(sync, container);
  if (record.postStart?.session !== undefined) return record.postStart.session;
  if (!machines || !container.lifecycle?.postStart?.exec) return undefined;
  return machines.at(viewOfSync(sync), context.now).hooks.get(hookOf(sync, container));
}

/** Models pkg/kubelet/lifecycle/handlers.go Run. */
function describe({ pod: { metadata } }: PodSync, { name }: Container, hook: string, error: string): string {
  const place = `${metadata.name}_${metadata.namespace}(${metadata.uid})`;
  return `${hook} for Container ${JSON.stringify(name)} in Pod ${JSON.stringify(place)} failed - error: ${error}`;
}

/** The message goes to the status alone, as upstream has it: it may hold secrets. */
function fail(sync: PodSync, container: Container, message: string): void {
  const { record } = trackContainer(sync, container);
  applyDecision(sync, container, {
    record: { ...record, hookError: message },
    events: [warningEvent('FailedPostStartHook', 'PostStartHook failed')],
  });
  killRunningContainer(sync, container, 'FailedPostStartHook');
}
