import type { Container } from '../../../api/core_v1.js';
import type { HookName } from '../../cri/machines.js';
import { warningEvent } from '../events/event.js';
import { runHTTPHandler } from '../lifecycle/handlers.js';
import { applyDecision, trackContainer, viewOfSync, type PodSync } from './pod-sync.js';

const EVENTS = {
  postStart: warningEvent('FailedPostStartHook', 'PostStartHook failed'),
  preStop: warningEvent('FailedPreStopHook', 'PreStopHook failed'),
};

/**
 * Runs a lifecycle hook of a container that runs, and reports its failure. False: it failed. Left out: a command that
 * fails later than it begins. Models kuberuntime_container.go startContainer and executePreStopHook.
 */
export function runLifecycleHook(sync: PodSync, container: Container, name: HookName): boolean {
  if (!container.lifecycle?.[name] || !hasHookFailed(sync, container, name)) return true;
  applyDecision(sync, container, { events: [EVENTS[name]] });
  return false;
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
