/** What a table can show, by its name. */
export interface ColumnChoice {
  readonly name: string;
  /** Shown unless somebody has chosen otherwise. */
  readonly isUsual: boolean;
}

/** Of a link: names with commas between; undefined when nobody has chosen. "-" is the name alone. */
export function parseColumns(text: string): ReadonlySet<string> | undefined {
  if (text === '') return undefined;
  return new Set(
    text
      .split(',')
      .filter((name) => name !== NONE)
      .map(unescape),
  );
}

export const columnsText = (names: Iterable<string>): string => [...names].map(escape).join(',') || NONE;

const NONE = '-';
// A definition may call its columns as it likes.
const escape = (name: string): string => name.replace(/[%,]/g, encodeURIComponent).replace(/^-$/, '%2D');
const unescape = (text: string): string => text.replace(/%(25|2C|2D)/gi, (code) => decodeURIComponent(code));

/** With one column more, or fewer, in the table's order: its text, and '' when that is what is shown anyway. */
export function toggleColumn(
  choices: readonly ColumnChoice[],
  chosen: ReadonlySet<string> | undefined,
  name: string,
): string {
  const isOn = isShown(chosen);
  const next = choices.filter((one) => (one.name === name ? !isOn(one) : isOn(one)));
  const isUsual = choices.every((one) => one.isUsual === next.includes(one));
  return isUsual ? '' : columnsText(next.map((one) => one.name));
}

export const isShown =
  (chosen: ReadonlySet<string> | undefined) =>
  ({ name, isUsual }: ColumnChoice): boolean =>
    chosen ? chosen.has(name) : isUsual;

/** Kinds whose columns are remembered; those that were chosen first are forgotten first. */
const MAX_KEPT = 100;
const KEY = 'terrarium.columns';
type Kept = Readonly<Record<string, string>>;

/** What was chosen here before for a resource; '' for nothing. */
export function keptColumns(resource: string, storage: Pick<Storage, 'getItem'> | undefined): string {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? '{}') as Kept;
    const text = kept[resource];
    return typeof text === 'string' ? text : '';
  } catch {
    // Somebody else's text, or a storage that is closed to this page.
    return '';
  }
}

export function keepColumns(
  resource: string,
  text: string,
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined,
): void {
  try {
    const { [resource]: _, ...others } = JSON.parse(storage?.getItem(KEY) ?? '{}') as Kept;
    const all = Object.entries({ ...others, ...(text === '' ? {} : { [resource]: text }) });
    storage?.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(-MAX_KEPT))));
  } catch {
    // As above: it stays in the URL.
  }
}
