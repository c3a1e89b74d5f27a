import type { Container } from '../../../api/core_v1.js';
import { warningEvent } from '../events/event.js';
import { runHTTPHandler } from '../lifecycle/handlers.js';
import { applyDecision, trackContainer, viewOfSync, type PodSync } from './pod-sync.js';

const FAILED = warningEvent('FailedPreStopHook', 'PreStopHook failed');

/**
 * Runs the preStop hook of a container that is told to stop, and reports its failure. Models kuberuntime_container.go
 * executePreStopHook.
 */
export function runPreStopHook(sync: PodSync, container: Container): void {
  const { httpGet, exec } = container.lifecycle?.preStop ?? {};
  const hasFailed = httpGet
    ? sendHook(sync, container, httpGet) !== undefined
    : exec !== undefined && beginCommand(sync, container, 'preStop') !== 0;
  if (hasFailed) applyDecision(sync, container, { events: [FAILED] });
}

/** Sends a hook's request. Why that failed; undefined: it did not. */
export function sendHook(
  sync: PodSync,
  container: Container,
  httpGet: Parameters<typeof runHTTPHandler>[0],
): string | undefined {
  const { context, machines, podIP = '' } = sync;
  if (!machines) return undefined;
  return runHTTPHandler(httpGet, container, podIP, (address, request) =>
    machines.send(context.client, viewOfSync(sync), address, request, context.now),
  );
}

/** Begins a hook's command. Its exit code, as far as that is known at once; 0 while it runs. */
export function beginCommand(sync: PodSync, container: Container, name: 'postStart' | 'preStop'): number {
  const { context, machines } = sync;
  const view = viewOfSync(sync);
  if (!machines?.hasFiles(view, container.name)) return 0;
  const { containerID = '' } = trackContainer(sync, container).status;
  return machines.performHook(context.client, view, containerID, name, context.now) ?? 0;
}
