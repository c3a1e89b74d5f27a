import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import type { TableColumn } from '../../kube/operations.generated.js';
import type { Row } from '../../kube/row.js';
import type { Sort } from '../../kube/table-state.js';
import { useNarrow } from '../../parts/useNarrow.js';
import { Icon } from '../../parts/Icon.js';
import { EmptyState } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { cellOf, shownColumns, toneOf, type ShownColumn, type UsageColumn } from './columns/columns.js';
import type { RowUsage, Usages } from './usage/usages.js';

const ROW_HEIGHT = 30;
const OVERSCAN = 12;
const PAGE = 20;
/** Rows that are scrolled in take the elements of those that are scrolled out: more than are ever shown. */
const POOL = 128;
const USAGE = (hasShare: boolean): readonly UsageColumn[] => [
  { id: 'cpu', name: t.objects.cpu, description: t.objects.usageHint, hasShare },
  { id: 'memory', name: t.objects.memory, description: t.objects.usageHint, hasShare },
];

interface GridProps {
  readonly label: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly Row[];
  readonly showsNamespace: boolean;
  readonly chosen: ReadonlySet<string> | undefined;
  readonly sort: Sort;
  readonly now: number | undefined;
  readonly selected: ReadonlySet<string>;
  /** What rows use, where somebody measures. */
  readonly usages?: Usages | undefined;
  /** Of nodes, which say how much of theirs that is. */
  readonly hasShare: boolean;
  /** What can be done with one row; without it rows have no menu. */
  onMenu?: ((row: Row, button: HTMLElement) => void) | undefined;
  onSelect(keys: ReadonlySet<string>): void;
  onSort(sort: Sort): void;
  onOpen(row: Row): void;
  onFilter(): void;
}

/** A table of which only the visible rows are in the page. Arrows move, Space selects, Enter opens, / filters. */
export function Grid(props: GridProps) {
  const { columns, rows, showsNamespace, chosen, sort, now, selected, usages, onMenu } = props;
  const { onSelect, onSort, onOpen, onFilter } = props;
  const isNarrow = useNarrow();
  const isMeasured = usages !== undefined;
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(
    () =>
      shownColumns(columns, rows, { showsNamespace, chosen, isNarrow, usage: isMeasured ? USAGE(props.hasShare) : [] }),
    // Widths are of the rows that were there first: columns must not move while one reads.
    [columns, showsNamespace, chosen, isNarrow, isMeasured, rows.length === 0],
  );
  const [active, setActive] = useState<string>();
  const index = useMemo(
    () => (active === undefined ? -1 : rows.findIndex(({ key }) => key === active)),
    [active, rows],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    getItemKey: (i) => rows[i]!.key,
  });
  const template = useMemo(
    () => ['2.2rem', ...shown.map(({ width }) => width), ...(onMenu ? ['2.4rem'] : [])].join(' '),
    [shown, onMenu === undefined],
  );

  // Known beforehand, so that no row has to be measured for the others.
  const minWidth = `${shown.reduce((sum, { chars }) => sum + chars, onMenu ? 9 : 5)}ch`;

  const move = (to: number): void => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[next];
    if (!row) return;
    setActive(row.key);
    virtual.scrollToIndex(next);
  };
  const latest = useRef({ selected, onSelect, onOpen, onMenu });
  latest.current = { selected, onSelect, onOpen, onMenu };
  const toggle = useCallback((row: Row): void => {
    const next = new Set(latest.current.selected);
    if (!next.delete(row.key)) next.add(row.key);
    latest.current.onSelect(next);
  }, []);
  const open = useCallback((row: Row): void => latest.current.onOpen(row), []);
  const showMenu = useCallback((row: Row, button: HTMLElement): void => latest.current.onMenu?.(row, button), []);

  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      const button = document.getElementById(`row-${active}`)?.querySelector<HTMLElement>('button');
      if (!button || index < 0) return;
      showMenu(rows[index]!, button);
      return event.preventDefault();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A button takes them itself.
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return;
    const row = rows[index];
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      PageDown: index + PAGE,
      PageUp: index - PAGE,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) move(to);
    else if (event.key === 'Enter' && row) open(row);
    else if (event.key === ' ' && row) toggle(row);
    else if (event.key === '/') onFilter();
    else return;
    event.preventDefault();
  };

  const isAll = rows.length > 0 && selected.size >= rows.length && rows.every(({ key }) => selected.has(key));
  const focused = index >= 0 ? `row-${rows[index]!.key}` : undefined;
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-rowcount={rows.length + 1}
      aria-colcount={shown.length + (onMenu ? 2 : 1)}
      aria-multiselectable="true"
      aria-activedescendant={focused}
      onKeyDown={onKey}
    >
      <div className="grid-head" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template, minWidth }}>
        <span role="columnheader" aria-colindex={1}>
          <input
            type="checkbox"
            aria-label={t.objects.selectAll}
            checked={isAll}
            tabIndex={-1}
            onChange={() => onSelect(isAll ? new Set() : new Set(rows.map(({ key }) => key)))}
          />
        </span>
        {shown.map((column, i) => (
          <HeadCell key={column.id} column={column} place={i + 2} sort={sort} onSort={onSort} />
        ))}
        {onMenu && (
          <span role="columnheader" aria-colindex={shown.length + 2}>
            <span className="visually-hidden">{t.objects.rowActions}</span>
          </span>
        )}
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize(), minWidth }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          return (
            <GridRow
              key={item.index % POOL}
              row={row}
              place={item.index + 2}
              top={item.start}
              columns={shown}
              template={template}
              now={now === undefined ? undefined : Math.floor(now / 1_000)}
              isSelected={selected.has(row.key)}
              isActive={row.key === active}
              usage={usages?.get(row.key)}
              onMenu={onMenu && showMenu}
              onToggle={toggle}
              onOpen={open}
              onActive={setActive}
            />
          );
        })}
      </div>
      {rows.length === 0 && <EmptyState title={t.objects.none} />}
    </div>
  );
}

interface HeadCellProps {
  readonly column: ShownColumn;
  readonly place: number;
  readonly sort: Sort;
  onSort(sort: Sort): void;
}

function HeadCell({ column: { id, name, description }, place, sort, onSort }: HeadCellProps) {
  const isSorted = sort.column === id;
  const direction = sort.descending ? 'descending' : 'ascending';
  return (
    <span
      role="columnheader"
      aria-colindex={place}
      aria-sort={isSorted ? direction : 'none'}
      title={visible(description)}
    >
      <button
        type="button"
        tabIndex={-1}
        onClick={() => onSort({ column: id, descending: isSorted && !sort.descending })}
      >
        {visible(name)}
        {isSorted && <span aria-hidden="true">{sort.descending ? ' ↓' : ' ↑'}</span>}
      </button>
    </span>
  );
}

interface GridRowProps {
  readonly row: Row;
  readonly place: number;
  readonly top: number;
  readonly columns: readonly ShownColumn[];
  readonly template: string;
  /** Virtual seconds. */
  readonly now: number | undefined;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly usage: RowUsage | undefined;
  readonly onMenu: ((row: Row, button: HTMLElement) => void) | undefined;
  onToggle(row: Row): void;
  onOpen(row: Row): void;
  onActive(key: string): void;
}

const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, place, top, columns, template, now, isSelected, isActive, usage } = props;
  const { onMenu, onToggle, onOpen, onActive } = props;
  const flash = useFlash(row);
  const click = (event: MouseEvent): void => {
    onActive(row.key);
    if (event.ctrlKey || event.metaKey) onToggle(row);
    else if (!(event.target instanceof HTMLInputElement)) onOpen(row);
  };
  const classes = ['grid-row', isActive && 'is-active', isSelected && 'is-selected', row.deleting && 'is-deleting'];
  return (
    <div
      id={`row-${row.key}`}
      className={classes.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={place}
      aria-selected={isSelected}
      data-flash={flash || undefined}
      style={{ transform: `translateY(${top}px)`, gridTemplateColumns: template }}
      onClick={click}
    >
      <span role="gridcell" aria-colindex={1}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t.objects.select(visible(row.name))}
          checked={isSelected}
          onChange={() => onToggle(row)}
        />
      </span>
      {columns.map((column, i) => {
        const text = cellText(row, column, now, usage);
        return (
          <span
            key={column.id}
            role="gridcell"
            aria-colindex={i + 2}
            title={text}
            className={i === 0 ? 'is-name' : undefined}
            data-tone={toneOf(column, text)}
          >
            {text}
          </span>
        );
      })}
      {onMenu && (
        <span role="gridcell" aria-colindex={columns.length + 2} className="row-menu">
          <button
            type="button"
            id={`menu-${row.key}`}
            tabIndex={-1}
            aria-haspopup="menu"
            aria-label={t.objects.actionsOn(visible(row.name))}
            onClick={(event) => {
              event.stopPropagation();
              onActive(row.key);
              onMenu(row, event.currentTarget);
            }}
          >
            <Icon name="more" />
          </button>
        </span>
      )}
    </div>
  );
});

/** True for a moment after a row that is shown has changed. */
function useFlash(row: Row): boolean {
  const last = useRef(row);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const isSame = last.current.key === row.key;
    if (last.current === row) return;
    last.current = row;
    // The element has taken another row in.
    if (!isSame) return setOn(false);
    setOn(true);
    const timer = setTimeout(() => setOn(false), 600);
    return () => clearTimeout(timer);
  }, [row]);
  return isOn;
}

function cellText(row: Row, column: ShownColumn, now: number | undefined, usage: RowUsage | undefined): string {
  if (column.id === 'cpu' || column.id === 'memory') return usage?.texts[column.id] ?? '';
  if (column.id === 'namespace') return visible(row.namespace);
  return visible(cellOf(row, column, now === undefined ? undefined : now * 1_000));
}
