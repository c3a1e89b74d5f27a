import type { Server } from '../../apiserver/index.js';
import { Pods } from '../../kinds/index.js';
import { ApiError, notFound } from '../../machinery/meta/status.js';
import type { OpenedPort, PodReference } from '../../machinery/requests/sessions.js';
import { findPod } from './inner-sessions.js';

/** A connection to a port of a pod, for a client outside or for a program of the cluster. */
export function openPort(
  { state, sessions }: Pick<Server, 'state' | 'sessions'>,
  target: PodReference,
  port: number,
): OpenedPort {
  const pod = findPod(state, target);
  if (!pod) return { failure: notFound(Pods, target.pod) };
  try {
    return sessions?.openPort(pod, port, state.now) ?? { http: true };
  } catch (error) {
    if (error instanceof ApiError) return { failure: error };
    throw error;
  }
}
