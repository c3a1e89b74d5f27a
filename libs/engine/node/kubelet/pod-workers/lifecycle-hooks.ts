import type { Container } from '../../../api/core_v1.js';
import type { HookName } from '../../cri/machines.js';
import { warningEvent } from '../events/event.js';
import { runHTTPHandler } from '../lifecycle/handlers.js';
import { applyDecision, trackContainer, viewOfSync, wakeNoLaterThan, type PodSync } from './pod-sync.js';

const EVENTS = {
  postStart: warningEvent('FailedPostStartHook', 'PostStartHook failed'),
  preStop: warningEvent('FailedPreStopHook', 'PreStopHook failed'),
};

/**
 * Runs a lifecycle hook of a container that runs, and reports its failure. False: it failed. Of a command
 * that takes time watchPostStart knows the end. Models kuberuntime_container.go startContainer and executePreStopHook.
 */
export function runLifecycleHook(sync: PodSync, container: Container, name: HookName): boolean {
  if (!container.lifecycle?.[name] || !hasHookFailed(sync, container, name)) return true;
  reportHook(sync, container, name);
  return false;
}

/**
 * What has become of the command of a postStart hook that did not end at the moment of its container's start:
 * 'running', or 'failed'. Undefined: it has none, or it ended well.
 */
export function watchPostStart(sync: PodSync, container: Container): 'running' | 'failed' | undefined {
  const { machines, context } = sync;
  if (!machines || !container.lifecycle?.postStart?.exec) return undefined;
  const { containerID = '' } = trackContainer(sync, container).status;
  const { machine, hooks } = machines.at(viewOfSync(sync), context.now);
  const session = hooks.get(`postStart ${containerID}`);
  if (session === undefined) return undefined;
  const { exit } = machine.output(session);
  if (exit === undefined) {
    wakeNoLaterThan(sync, Math.max(context.now + 1, machine.nextWake() ?? Infinity));
    return 'running';
  }
  return exit.code === 0 && !exit.signal ? undefined : 'failed';
}

/** Reports a hook's failure. */
export function reportHook(sync: PodSync, container: Container, name: HookName): void {
  applyDecision(sync, container, { events: [EVENTS[name]] });
}

function hasHookFailed(sync: PodSync, container: Container, name: HookName): boolean {
  const { context, machines, podIP = '' } = sync;
  const { client, now } = context;
  const { exec, httpGet } = container.lifecycle?.[name] ?? {};
  if (!machines) return false;
  const view = viewOfSync(sync);
  if (httpGet) {
    const failure = runHTTPHandler(httpGet, container, podIP, (address, request) =>
      machines.send(client, view, address, request, now),
    );
    return failure !== undefined;
  }
  if (!exec || !machines.hasFiles(view, container.name)) return false;
  const { containerID = '' } = trackContainer(sync, container).status;
  return (machines.performHook(client, view, containerID, name, now) ?? 0) !== 0;
}
