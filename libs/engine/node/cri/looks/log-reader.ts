import type { Pod } from '../../../api/core_v1.js';
import { bytesOf } from '../../../kernel/bytes.js';
import type { Machine } from '../../../kernel/machine.js';
import type { Millis } from '../../../machinery/time/time.js';
import { ContainerLog, type LogFile } from '../../host/disk/container-log.js';
import { idOf } from '../../host/views/runtime-view.js';
import { findStart, startedSummary, networkOf } from '../../kubelet/container/process.js';
import type { Process } from '../image.js';
import type { LoadedMachine } from '../pods/loaded-machine.js';
import type { MachinesOptions, PodView } from '../pods/pod-view.js';
import { runsOf, type Run } from '../records/course.js';
import { readMachine } from '../records/machine-record.js';

/** Logs that are kept for the next look, and what they may hold together. */
const MAX_LOGS = 200;
const MAX_BYTES = 64 * 1024 * 1024;

interface KeptLog {
  /** The machine whose log it is: one that is made anew may have another course. */
  readonly machine: Machine;
  readonly log: ContainerLog;
  /** Entries that were read, those that the container's own log had dropped before among them. */
  read: number;
}

/** Logs of containers as their files on a node, made when a program there reads them. */
export class LogReader {
  /** By container ID; the one that was read last is the last. */
  private readonly kept = new Map<string, KeptLog>();
  /** Of a server that is known by its summary: a program reads a file in pieces. */
  private last: { readonly id: string; readonly now: Millis; readonly log: ContainerLog } | undefined;

  constructor(
    private readonly options: Pick<MachinesOptions, 'images' | 'state'>,
    private readonly viewOf: (pod: Pod) => PodView,
    /** A pod's machine, which is not behind whoever reads. */
    private readonly machineOf: (view: PodView) => LoadedMachine,
  ) {}

  /** The files of a run's log at a time, by its id without a scheme; none when nothing is known of the run. */
  files(pod: Pod, id: string, now: Millis): readonly LogFile[] {
    const view = this.viewOf(pod);
    const run = runsOf(view.pod, view.statuses, view.records).find(({ containerID }) => idOf(containerID) === id);
    return run ? (this.readSummary(view, run, now) ?? this.readMachine(view, run)).files(now) : [];
  }

  /** Undefined: a machine runs it. */
  private readSummary(view: PodView, run: Run, now: Millis): ContainerLog | undefined {
    if (this.last?.id === run.containerID && this.last.now === now) return this.last.log;
    const summary = this.summaryOf(view, run);
    if (!summary) return undefined;
    const log = new ContainerLog(run.startedAt);
    const lines = summary.lines(Math.min(now, run.endsAt ?? now) - run.startedAt);
    log.add(lines.map((line) => ({ ...line, text: bytesOf(line.text) })));
    this.last = { id: run.containerID, now, log };
    return log;
  }

  private summaryOf({ pod }: PodView, run: Run): Process | undefined {
    const { images, state } = this.options;
    if (readMachine(state, pod)) return undefined;
    const source = { pod, read: state };
    const found = findStart(images, run, source, networkOf(state, pod.metadata.namespace ?? ''));
    const summary = found && startedSummary(found, source);
    return summary?.program ? undefined : summary;
  }

  private readMachine(view: PodView, { containerID, startedAt }: Run): ContainerLog {
    const { machine, runs } = this.machineOf(view);
    const known = this.kept.get(containerID);
    const kept = known?.machine === machine ? known : { machine, log: new ContainerLog(startedAt), read: 0 };
    this.kept.delete(containerID);
    this.kept.set(containerID, kept);
    if (!runs.has(containerID)) return kept.log;
    const container = machine.container(containerID);
    const lines = container.logsFrom(kept.read, startedAt);
    kept.read = Math.max(kept.read, container.droppedLines) + lines.length;
    kept.log.add(lines);
    this.makeRoom();
    return kept.log;
  }

  private makeRoom(): void {
    let bytes = 0;
    for (const { log } of this.kept.values()) bytes += log.size;
    for (const [id, { log }] of this.kept) {
      if (this.kept.size <= 1 || (this.kept.size <= MAX_LOGS && bytes <= MAX_BYTES)) return;
      this.kept.delete(id);
      bytes -= log.size;
    }
  }
}
