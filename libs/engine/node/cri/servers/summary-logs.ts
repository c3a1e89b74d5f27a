import type { Container, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { findStart, startedSummary, networkOf } from '../../kubelet/container/process.js';
import type { ImageCatalog } from '../image.js';
import { readMachine } from '../records/machine-record.js';

const MAX_LINES = 200;

/**
 * The last lines of the containers of a node whose servers are known by their summary, by their ids: other containers'
 * programs would have to run to be asked.
 */
export function summaryLogs(
  read: Reader,
  images: ImageCatalog,
  node: string,
  now: Millis,
): Readonly<Record<string, readonly string[]>> {
  const logs: Record<string, readonly string[]> = {};
  for (const pod of read.byIndex(Pods, 'nodeName', node)) {
    if (readMachine(read, pod)) continue;
    for (const container of pod.spec.containers) Object.assign(logs, linesOf(read, images, pod, container, now));
  }
  return logs;
}

function linesOf(
  read: Reader,
  images: ImageCatalog,
  pod: Pod,
  container: Container,
  now: Millis,
): Record<string, readonly string[]> {
  const status = pod.status.containerStatuses?.find(({ name }) => name === container.name);
  const { running, terminated } = status?.state ?? {};
  const runs = [
    running && { startedAt: running.startedAt, id: status?.containerID },
    ...[terminated, status?.lastState?.terminated].map((t) => t && { startedAt: t.startedAt, id: t.containerID }),
  ];
  const logs: Record<string, readonly string[]> = {};
  for (const run of runs) {
    if (!status || !run?.startedAt || !run.id) continue;
    const startedAt = parseTimestamp(run.startedAt);
    const of = { container, image: status.image, containerID: run.id, startedAt };
    const found = findStart(images, of, { pod, read }, networkOf(read, pod.metadata.namespace ?? ''));
    const process = found && startedSummary(found, { pod, read });
    const id = run.id.slice(run.id.indexOf('://') + 3);
    if (process)
      logs[id] = process
        .lines(now - startedAt)
        .slice(-MAX_LINES)
        .map(({ text }) => text);
  }
  return logs;
}
