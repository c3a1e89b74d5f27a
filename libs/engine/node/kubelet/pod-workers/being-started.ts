import type { Container } from '../../../api/core_v1.js';
import { forgetPull } from '../images/pull-queue.js';
import { omit } from '../pod/pod-runtime.js';
import { allContainers, type PodSync } from './pod-sync.js';

/**
 * The container that the pod's worker is at work on: whose image it pulls, which it creates, or whose hook runs. A
 * worker starts one container after the other, and does nothing else meanwhile. Models kuberuntime_manager.go SyncPod.
 */
export const findBeingStarted = (sync: PodSync): Container | undefined =>
  sync.records.size === 0
    ? undefined
    : allContainers(sync.pod).find(({ name }) => {
        const { step, postStart } = sync.records.get(name) ?? {};
        return step === 'pulling' || step === 'creating' || postStart !== undefined;
      });

/** Whether a container has to wait until another one of its pod has been started. */
export function waitsForAnother(sync: PodSync, { name }: Container): boolean {
  const first = findBeingStarted(sync);
  return first !== undefined && first.name !== name;
}

/** Nobody waits for what was to be started: it is forgotten, and others of the node may pull. */
export function dropStart(sync: PodSync, { name }: Container): void {
  const record = sync.records.get(name);
  if (record?.step === 'pulling' || record?.step === 'creating')
    sync.records.set(name, omit(forgetPull(record), 'step'));
}
