import { runningContainersOf } from '../server/containers.js';
import { idleUsage } from '../../metrics/baseline.js';
import type { ContainerMeasure } from '../../cri/looks/measure.js';
import type { PodUsage } from './ranking.js';

/** Folders that a container runtime makes in a layer of its own, for what is mounted into the container. */
const EMPTY_LAYER = 24 * 1024;
const NOTHING: ContainerMeasure = { memory: 0, cpuMs: 0, cpuRate: 0, logBytes: 0, disk: 0, inodes: 0 };

/**
 * A pod with what its containers use at the least: one that nobody has looked into is not measured, and yet uses what
 * such a program uses at rest. `isServer`: whether its image tells of a server.
 */
export function withIdleUsage(usage: PodUsage, isServer: (container: string) => boolean): PodUsage {
  const { pod, measure } = usage;
  const containers = new Map(measure?.containers);
  for (const { name, image = '' } of runningContainersOf(pod)) {
    const own = containers.get(name) ?? NOTHING;
    const idle = idleUsage(image, `${pod.metadata.uid} ${name}`, isServer(name));
    containers.set(name, {
      ...own,
      memory: Math.max(own.memory, idle.memory),
      disk: Math.max(own.disk, EMPTY_LAYER),
    });
  }
  return { pod, measure: { volumes: new Map(), processes: containers.size, ...measure, containers } };
}
