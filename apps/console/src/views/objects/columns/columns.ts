import type { TableColumn } from '../../../kube/operations.generated.js';
import { grownAge, humanDuration } from '../../../kube/age.js';
import type { Row } from '../../../kube/row.js';

export interface ShownColumn {
  /** 'namespace', 'age', 'cpu', 'memory', or the place among the cells: by what rows are sorted. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Among the cells; -1 for what is in none of them. */
  readonly place: number;
  readonly isAge: boolean;
  /** Of CSS' grid-template-columns. */
  readonly width: string;
  /** Its least width. */
  readonly chars: number;
}

/** Rows that are measured; characters that a column is at least and at most given. */
const MEASURED = 60;
const MIN = 6;
const MAX = 48;

/** What a name may take where there is little room: the state is worth more than its end. */
const NARROW_NAME = 18;

/** Of what is measured; the column's id is that of the measure. */
export interface UsageColumn {
  readonly id: 'cpu' | 'memory';
  readonly name: string;
  readonly description: string;
  /** It says, too, which share of what there is that is. */
  readonly hasShare: boolean;
}

interface Shown {
  readonly showsNamespace: boolean;
  /** By their names, which somebody has chosen; the name is always shown. By default, by their priority. */
  readonly chosen?: ReadonlySet<string> | undefined;
  readonly isNarrow?: boolean;
  /** What is measured of the rows, if anything is. */
  readonly usage?: readonly UsageColumn[];
}

/** "250m", and "1.50 (37%)" where it is known of how much. */
const USAGE_CHARS = { cpu: 7, memory: 9 } as const;
const SHARE_CHARS = 5;

/**
 * The columns that are shown: after the name the namespace when there are several, the others by their priority; on a
 * phone what tells the state comes first.
 */
export function shownColumns(
  columns: readonly TableColumn[],
  rows: readonly Row[],
  { showsNamespace, chosen, isNarrow = false, usage = [] }: Shown,
): ShownColumn[] {
  const some = rows.slice(0, MEASURED);
  const sizeOf = (name: string, textOf: (row: Row) => unknown): Pick<ShownColumn, 'width' | 'chars'> => {
    const longest = some.reduce((max, row) => Math.max(max, String(textOf(row) ?? '').length), name.length + 2);
    const size = Math.min(Math.max(longest, MIN), isNarrow ? NARROW_NAME : MAX);
    // Of a zero's width: most letters are narrower.
    const chars = Math.ceil(size * 0.86) + 2;
    return { width: `minmax(${chars}ch, ${size}fr)`, chars };
  };
  const shown = columns.flatMap((column, place): ShownColumn[] => {
    const { name, description, priority } = column;
    if (place > 0 && !(chosen?.has(name) ?? priority === 0)) return [];
    const isAge = name === 'Age';
    return [
      {
        id: isAge ? 'age' : String(place),
        name,
        description,
        place,
        isAge,
        ...sizeOf(name, (r) => r.cells[place]),
      },
    ];
  });
  const measured = usage.filter(({ name }) => chosen?.has(name) ?? true);
  const measures = measured.map(({ hasShare, ...one }): ShownColumn => {
    const chars = USAGE_CHARS[one.id] + (hasShare ? SHARE_CHARS : 0);
    return { ...one, place: -1, isAge: false, width: `minmax(${chars}ch, ${chars}fr)`, chars };
  });
  // Before the age, which people look for at the end.
  const end = shown.findIndex(({ isAge }) => isAge);
  shown.splice(end < 0 ? shown.length : end, 0, ...measures);
  if (isNarrow) shown.sort((a, b) => Number(tellsState(b)) - Number(tellsState(a)));
  if (!showsNamespace || chosen?.has('Namespace') === false) return shown;
  const width = sizeOf('Namespace', (row) => row.namespace);
  const namespace = { id: 'namespace', name: 'Namespace', description: '', place: -1, isAge: false, ...width };
  if (isNarrow) return [...shown, namespace];
  return [...shown.slice(0, 1), namespace, ...shown.slice(1)];
}

/** The name is first, wherever. */
const tellsState = ({ name, place }: ShownColumn): boolean => place === 0 || name === 'Ready' || STATUS.test(name);

/** Their cells have ages, which go on. */
const AGED: ReadonlySet<string> = new Set(['Last Seen', 'First Seen', 'Last Schedule', 'Restarts']);

/** What a cell says; of an age, now (virtual ms) and not when it was written. '' for a cell without a value. */
export function cellOf(row: Row, { isAge, name, place }: ShownColumn, now: number | undefined): string {
  if (isAge && now !== undefined && row.created !== '') return humanDuration(now - Date.parse(row.created));
  const cell = row.cells[place];
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
  return AGED.has(name) && now !== undefined && row.told !== undefined ? grownAge(text, now - row.told) : text;
}

export type Tone = 'good' | 'bad' | 'wait';

const GOOD = new Set([
  'Running',
  'Ready',
  'Active',
  'Bound',
  'Available',
  'Completed',
  'Complete',
  'Succeeded',
  'Healthy',
  'True',
]);
const WAITING = new Set([
  'Pending',
  'ContainerCreating',
  'PodInitializing',
  'Terminating',
  'Released',
  'Unknown',
  'Suspended',
]);
const BAD = /Error|Err[A-Z]|BackOff|Failed|NotReady|Evicted|OOMKilled|Lost|Invalid|DeadlineExceeded|^Warning$/;
const STATUS = /^(?:status|phase|state|type|reason)$/i;
const READY = /^(\d+)\/(\d+)$/;

/** How a cell is to be read: words of states, and "1/2". */
export function toneOf({ name }: Pick<ShownColumn, 'name'>, text: string): Tone | undefined {
  if (name === 'Ready') {
    const counts = READY.exec(text);
    return counts ? (counts[1] === counts[2] ? 'good' : 'wait') : undefined;
  }
  if (!STATUS.test(name)) return undefined;
  if (BAD.test(text)) return 'bad';
  const word = text.split(',')[0]!;
  if (GOOD.has(word)) return 'good';
  return WAITING.has(word) || text.startsWith('Init:') ? 'wait' : undefined;
}
