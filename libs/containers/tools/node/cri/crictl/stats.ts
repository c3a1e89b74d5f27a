import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { SECOND } from '../../../../../engine/machinery/time/time.js';
import type { Options } from '../../../framework/options.js';
import { ToolFailure, type WaitingContext } from '../../../framework/tool.js';
import { askRuntime, formatTable, humanSize } from '../../runtime.js';
import { callRuntime } from '../client.js';

const SHORT = 13;

/** What one container uses; CPU in nanoseconds since its start. */
interface Usage {
  readonly id: string;
  readonly podId: string;
  readonly cpu: number;
  readonly memory: number;
  readonly disk: number;
  readonly inodes: number;
}

interface Reading {
  readonly timestamp: number;
  readonly stats: readonly Usage[];
}

const read = (tool: WaitingContext): Reading => callRuntime(tool, 'Stats', {}) as unknown as Reading;

/** Two readings of what `keep` chooses, with the time of --seconds between them. */
function sample(tool: WaitingContext, options: Options): readonly [before: Reading, after: Reading] {
  if (options.has('w')) throw new ToolFailure('--watch is not simulated');
  askRuntime(tool.sys);
  const before = read(tool);
  tool.once(() => ({ value: null, delay: Math.max(1, Number(options.value('s') ?? 1) * SECOND) }));
  return [before, read(tool)];
}

const percentOf = (used: number, [before, after]: readonly [Reading, Reading]): string =>
  ((used / Math.max(1, after.timestamp - before.timestamp)) * 100).toFixed(2);

/** Models cmd/crictl/container_stats.go. */
export function stats(tool: WaitingContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const wanted = options.value('id') ?? options.operands[0] ?? '';
  const pod = options.value('p') ?? '';
  const isMeant = (one: Usage): boolean => one.id.startsWith(wanted) && one.podId.startsWith(pod);
  const output = options.value('o');
  if (output === 'json') {
    const { timestamp, stats: all } = read(tool);
    const shown = all.filter(isMeant).map((one) =>
      describe(
        one,
        timestamp,
        view.containers.find(({ id }) => id === one.id),
      ),
    );
    tool.out(bytesOf(`${JSON.stringify({ stats: shown }, undefined, 2)}\n`));
    return 0;
  }
  if (output !== undefined && output !== 'table')
    throw new ToolFailure(`unsupported output format ${JSON.stringify(output)}`);
  const readings = sample(tool, options);
  const [before, after] = readings;
  const rows = after.stats
    .filter(isMeant)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((one) => {
      const old = before.stats.find(({ id }) => id === one.id);
      if (!old || (one.cpu === 0 && one.memory === 0 && !options.has('a'))) return [];
      const name = view.containers.find(({ id }) => id === one.id)?.name ?? '';
      const cpu = percentOf(one.cpu - old.cpu, readings);
      return [
        [one.id.slice(0, SHORT), name, cpu, humanSize(one.memory), humanSize(one.disk), String(one.inodes), '0B'],
      ];
    });
  tool.out(bytesOf(formatTable([['CONTAINER', 'NAME', 'CPU %', 'MEM', 'DISK', 'INODES', 'SWAP'], ...rows])));
  return 0;
}

function describe(
  { id, cpu, memory, disk, inodes }: Usage,
  timestamp: number,
  container: { readonly name: string; readonly attempt: number; readonly labels: object } | undefined,
): object {
  const value = (found: number): object => ({ value: String(found) });
  return {
    attributes: {
      ...{ id, metadata: { name: container?.name ?? '', attempt: container?.attempt ?? 0 } },
      ...{ labels: container?.labels ?? {}, annotations: {} },
    },
    cpu: { timestamp: String(timestamp), usageCoreNanoSeconds: value(cpu) },
    memory: {
      timestamp: String(timestamp),
      workingSetBytes: value(memory),
      usageBytes: value(memory),
      rssBytes: value(memory),
    },
    writableLayer: {
      timestamp: String(timestamp),
      fsId: { mountpoint: '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs' },
      ...{ usedBytes: value(disk), inodesUsed: value(inodes) },
    },
  };
}

/** Models cmd/crictl/pod_stats.go. */
export function statsp(tool: WaitingContext, options: Options): number {
  const view = askRuntime(tool.sys);
  const wanted = options.value('id') ?? options.operands[0] ?? '';
  const readings = sample(tool, options);
  const sum = ({ stats: all }: Reading, id: string, of: 'cpu' | 'memory'): number =>
    all.filter(({ podId }) => podId === id).reduce((total, one) => total + one[of], 0);
  const [before, after] = readings;
  const rows = view.pods
    .filter(({ id }) => id.startsWith(wanted) && after.stats.some(({ podId }) => podId === id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .filter(({ id }) => sum(after, id, 'cpu') !== 0 || sum(after, id, 'memory') !== 0)
    .map(({ id, name }) => {
      const cpu = percentOf(sum(after, id, 'cpu') - sum(before, id, 'cpu'), readings);
      return [name, id.slice(0, SHORT), cpu, humanSize(sum(after, id, 'memory'))];
    });
  tool.out(bytesOf(formatTable([['POD', 'POD ID', 'CPU %', 'MEM'], ...rows])));
  return 0;
}
