import type { Description } from '../../../kernel/descriptors/description.js';
import type { Plain } from '../../../kernel/process/program.js';
import type { Process } from '../../../kernel/process/process.js';
import type { PlainPatch } from './plain-patch.js';

/** Fields of a machine that wake nobody: its clock, its next numbers, and what clients see of it. */
const QUIET_FIELDS = new Set(['now', 'steps', 'counters', 'namespaces', 'sessions', 'terminals', 'descriptions']);
/** Of a container: what was used. A throttled one goes on later, and so is not among them. */
const QUIET_OF_CONTAINER = new Set(['cpu', 'memoryPeak']);
const THROTTLES = 'throttledUntil';
/** When and for what a process goes on. */
const COURSE_OF_PROCESS = new Set(['status', 'waiting', 'pending', 'stalledUntil', 'parent']);

/**
 * Whether a machine does the same by itself after a change as it would have done before: a command has run to its end
 * and left nothing, or a shell waits for its next line. Then nobody has to look at it again, and most of what learners
 * type costs no run of the components. `patch`: of a MachineRecord's plain data; `next`: what it makes.
 */
export function isQuiet(patch: PlainPatch, next: Plain): boolean {
  const { machine, ...others } = entriesOf(patch) ?? {};
  const fields = machine && entriesOf(machine);
  if (!fields || Object.keys(others).length > 0) return false;
  const saved = (next as unknown as { readonly machine: Saved }).machine;
  return Object.entries(fields).every(([name, change]) => {
    if (QUIET_FIELDS.has(name)) return true;
    const entries = Object.entries(entriesOf(change) ?? {});
    if (entries.length === 0) return false;
    if (name === 'containers') return entries.every(([, entry]) => isQuietContainer(entry));
    return name === 'processes' && entries.every(([id, entry]) => isQuietProcess(entry, saved, saved.processes[id]));
  });
}

interface Saved {
  readonly processes: Readonly<Record<string, Process>>;
  readonly descriptions: Readonly<Record<string, Description>>;
}

/** The changes of a table's entries; undefined when some are gone. */
const entriesOf = (patch: PlainPatch): Readonly<Record<string, PlainPatch>> | undefined =>
  'in' in patch && patch.gone === undefined ? patch.in : undefined;

/** The fields of an entry that change; undefined when the entry is new. */
const namesOf = (patch: PlainPatch): readonly string[] | undefined =>
  'in' in patch ? [...Object.keys(patch.in), ...(patch.gone ?? [])] : undefined;

function isQuietContainer(patch: PlainPatch): boolean {
  const isUsage = namesOf(patch)?.every((name) => QUIET_OF_CONTAINER.has(name)) ?? false;
  const cpu = 'in' in patch ? patch.in.cpu : undefined;
  return isUsage && (cpu === undefined || namesOf(cpu)?.includes(THROTTLES) === false);
}

/** It has changed, but it waited for what a client types, and does so again. */
function isQuietProcess(patch: PlainPatch, { descriptions }: Saved, process: Process | undefined): boolean {
  if (namesOf(patch)?.some((name) => COURSE_OF_PROCESS.has(name)) !== false) return false;
  const { readable, ...others } = process?.waiting ?? {};
  if (!process || !readable || Object.values(others).some((wait) => wait !== undefined)) return false;
  return readable.every((number) => descriptions[process.descriptors[number] ?? -1]?.type === 'terminal');
}
