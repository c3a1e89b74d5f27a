import { useMemo } from 'react';
import type { Row } from '../../../kube/row.js';
import type { TableState } from '../../../kube/table-state.js';
import { useNow } from '../../../kube/useNow.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { cellOf, shownColumns, toneOf } from '../columns/columns.js';
import { Link } from '../../../app/routing/router.js';

/** Rows that are shown; the others are counted. */
const MAX_ROWS = 50;
/** Characters of a cell that stay in one line: an age, a count. */
const SHORT = 12;

interface MiniTableProps {
  readonly label: string;
  readonly state: TableState;
  readonly rows: readonly Row[];
  /** Columns that are left out. */
  readonly without?: readonly string[];
  hrefOf?(row: Row): string;
}

/** A small live Table within a panel. */
export function MiniTable({ label, state, rows, without = [], hrefOf }: MiniTableProps) {
  const now = useNow(state.time);
  const columns = useMemo(
    () => shownColumns(state.columns, [], { showsNamespace: false }).filter(({ name }) => !without.includes(name)),
    [state.columns, without],
  );
  return (
    <div className="mini-table" tabIndex={0} role="group" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, name }) => (
              <th key={id} scope="col">
                {visible(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => (
            <tr key={row.key}>
              {columns.map((column, i) => {
                const text = visible(cellOf(row, column, now));
                return (
                  <td
                    key={column.id}
                    data-tone={toneOf(column, text)}
                    className={text.length <= SHORT ? 'is-short' : undefined}
                  >
                    {i === 0 && hrefOf ? <Link href={hrefOf(row)}>{text}</Link> : text}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && <p className="hint">{t.objects.andMore(rows.length - MAX_ROWS)}</p>}
    </div>
  );
}
