import type { Container, ContainerStateTerminated } from '../../../api/core_v1.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';

/** What a container says of its ports, where a probe asks at one that refuses. */
export function declaredPorts({ ports = [] }: Container, message: string): string[] {
  if (!message.includes('connection refused')) return [];
  const asked = /:(\d+)(?:\/|: connect)/.exec(message)?.[1];
  const declared = ports.map(({ containerPort }) => String(containerPort));
  if (declared.length === 0 || asked === undefined || declared.includes(asked)) return [];
  return [`nothing listens at port ${asked}; the container declares the port ${declared.join(', ')}`];
}

/** A liveness probe that ends a program before that has begun, as it does each time. */
export function earlyProbe(
  { livenessProbe, startupProbe }: Container,
  { startedAt, finishedAt }: ContainerStateTerminated,
  message: string,
): string[] {
  if (!livenessProbe || startupProbe || !startedAt || !finishedAt || ANSWERED.test(message)) return [];
  const { initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 } = livenessProbe;
  const patience = initialDelaySeconds + periodSeconds * failureThreshold;
  const lived = (parseTimestamp(finishedAt) - parseTimestamp(startedAt)) / SECOND;
  if (lived > patience + GRACE) return [];
  return [
    `that was ${lived} s after its start: without a startupProbe its liveness probe gives it ${patience} s to begin`,
  ];
}

/** It has begun, and says so. */
const ANSWERED = /statuscode: 4/;
/** What a program may take to stop. */
const GRACE = 30;
