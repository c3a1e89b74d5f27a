import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import type { Mode } from '../model/groups.js';
import { toneOf } from '../model/tone.js';
import { flattenTwin, moveInTwin, twinGroups, type TwinRow } from './twin.js';
import type { World } from '../model/world.js';

const ROW = 26;
const AROUND = 10;

interface TwinProps {
  readonly world: World;
  readonly mode: Mode;
  readonly turn: number;
  readonly selected: string;
  onSelect(uid: string): void;
  /** Enter: the details of what is selected. */
  onOpen(): void;
}

/** The same as the picture, as a tree for keyboards and screen readers. Only the lines in sight are in the page. */
export function Twin({ world, mode, turn, selected, onSelect, onOpen }: TwinProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => flattenTwin(twinGroups(world, mode), open), [world, mode, turn, open]);
  const active = current ?? (selected || rows[0]?.id);
  const height = box.current?.clientHeight ?? 400;
  const first = Math.max(0, Math.floor(top / ROW) - AROUND);
  const shown = rows.slice(first, first + Math.ceil(height / ROW) + 2 * AROUND);
  const toggle = (id: string, isOpen: boolean): void => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  useEffect(() => {
    const i = rows.findIndex(({ id }) => id === current);
    if (i < 0 || !box.current) return;
    const { scrollTop, clientHeight } = box.current;
    if (i * ROW < scrollTop) box.current.scrollTop = i * ROW;
    else if ((i + 1) * ROW > scrollTop + clientHeight) box.current.scrollTop = (i + 1) * ROW - clientHeight;
    // Only when one goes to another line: not because the cluster has changed.
  }, [current]);
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') return onOpen();
    const move = moveInTwin(rows, active, event.key);
    if (!move) return;
    event.preventDefault();
    if (move.type !== 'go') return toggle(move.id, move.type === 'open');
    setCurrent(move.id);
    const row = rows.find(({ id }) => id === move.id);
    if (row?.thing) onSelect(row.thing.uid);
  };
  return (
    <div
      ref={box}
      className="picture-twin"
      role="tree"
      tabIndex={0}
      aria-label={t.picture.twin(t.picture.modes[mode])}
      aria-activedescendant={shown.some(({ id }) => id === active) ? `twin-${active}` : undefined}
      onKeyDown={press}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div role="none" style={{ height: first * ROW }} />
      {shown.map((row) => (
        <Line
          key={row.id}
          row={row}
          isActive={row.id === active}
          isSelected={row.id === selected}
          onClick={() => {
            setCurrent(row.id);
            if (row.thing) onSelect(row.thing.uid);
            if (row.isOpen !== undefined) toggle(row.id, !row.isOpen);
          }}
        />
      ))}
      <div role="none" style={{ height: Math.max(0, rows.length - first - shown.length) * ROW }} />
    </div>
  );
}

interface LineProps {
  readonly row: TwinRow;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  onClick(): void;
}

function Line({ row, isActive, isSelected, onClick }: LineProps) {
  const { id, kind, title, thing, level, isOpen, count, position, siblings } = row;
  const name = title ? visible(title) : t.picture.headings[kind as keyof typeof t.picture.headings];
  return (
    <div
      id={`twin-${id}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isSelected}
      {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
      className={isActive ? 'active' : ''}
      style={{ paddingLeft: level * 14 }}
      onClick={onClick}
    >
      <span aria-hidden="true" className="twist">
        {isOpen === undefined ? '' : isOpen ? '▾' : '▸'}
      </span>
      {thing?.kind === 'Pod' && <span aria-hidden="true" className={`swatch tone-${toneOf(thing)}`} />}
      <span className="name">
        {thing && kind !== 'Pod' ? `${kind} ` : ''}
        {name}
      </span>
      <span className="note">{thing?.is.status ?? (count > 0 ? t.picture.inside.pods(count) : '')}</span>
    </div>
  );
}
