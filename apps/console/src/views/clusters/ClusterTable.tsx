import type { ReactNode } from 'react';
import type { Cluster } from '../../api/clusters.generated.js';
import { clusterHref } from '../../app/routing/route.js';
import { Link } from '../../app/routing/router.js';
import { Age } from '../../parts/Age.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { ClusterMenu, type Asked } from './ClusterMenu.js';
import type { Sort, SortKey } from './filter.js';

interface TableProps {
  readonly clusters: readonly Cluster[];
  readonly sort: Sort;
  onSort(sort: string): void;
  /** None for who may only read. */
  readonly chosen?: ReadonlySet<string>;
  onChoose?(chosen: ReadonlySet<string>): void;
  onAsk?(asked: Asked, cluster: Cluster): void;
}

/** Rows that are drawn; of more, the filter finds what is looked for. */
const MAX_ROWS = 500;
const COLUMNS: readonly (keyof typeof t.clusters.columns)[] = [
  'name',
  'state',
  'version',
  'nodes',
  'labels',
  'age',
  'used',
  'ends',
];
/** Those that a phone leaves out. */
const ASIDE: ReadonlySet<string> = new Set(['version', 'labels', 'used', 'ends']);
const SORTED: ReadonlySet<string> = new Set<SortKey>(['name', 'state', 'nodes', 'age', 'used', 'ends']);

export function ClusterTable({ clusters, sort, onSort, chosen, onChoose, onAsk }: TableProps) {
  const shown = clusters.slice(0, MAX_ROWS);
  const areAll = chosen !== undefined && shown.length > 0 && shown.every(({ id }) => chosen.has(id));
  const choose = (ids: readonly string[], isChosen: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) isChosen ? next.add(id) : next.delete(id);
    onChoose?.(next);
  };
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={t.clusters.title}>
      <table className="table">
        <thead>
          <tr>
            {chosen && (
              <th scope="col" className="check">
                <input
                  type="checkbox"
                  aria-label={t.clusters.chooseAll}
                  checked={areAll}
                  onChange={() =>
                    choose(
                      shown.map(({ id }) => id),
                      !areAll,
                    )
                  }
                />
              </th>
            )}
            {COLUMNS.map((column) => (
              <SortedHead key={column} column={column} sort={sort} onSort={onSort}>
                {t.clusters.columns[column]}
              </SortedHead>
            ))}
            {onAsk && (
              <th scope="col">
                <span className="unseen">{t.palette.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((cluster) => (
            <tr key={cluster.id} aria-selected={chosen?.has(cluster.id)}>
              {chosen && (
                <td className="check">
                  <input
                    type="checkbox"
                    aria-label={t.clusters.choose(visible(cluster.name))}
                    checked={chosen.has(cluster.id)}
                    onChange={() => choose([cluster.id], !chosen.has(cluster.id))}
                  />
                </td>
              )}
              <ClusterCells cluster={cluster} />
              {onAsk && (
                <td className="check">
                  <ClusterMenu cluster={cluster} onAsk={(asked) => onAsk(asked, cluster)} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {clusters.length > MAX_ROWS && <p className="quiet">{t.clusters.moreRows(clusters.length - MAX_ROWS)}</p>}
    </div>
  );
}

interface HeadProps {
  readonly column: string;
  readonly sort: Sort;
  onSort(sort: string): void;
  readonly children: ReactNode;
}

function SortedHead({ column, sort, onSort, children }: HeadProps) {
  const className = ASIDE.has(column) ? 'aside' : undefined;
  if (!SORTED.has(column))
    return (
      <th scope="col" className={className}>
        {children}
      </th>
    );
  const isOwn = sort.by === column;
  return (
    <th scope="col" className={className} aria-sort={isOwn ? (sort.isDown ? 'descending' : 'ascending') : undefined}>
      <button type="button" className="sort" onClick={() => onSort(isOwn && !sort.isDown ? `-${column}` : column)}>
        {children}
        <span aria-hidden="true">{isOwn ? (sort.isDown ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}

const labelText = (key: string, value: string): string => visible(value ? `${key}=${value}` : key);

/** Of labels without the domain of their keys: what tells them apart comes after it. */
const ClusterCells = ({ cluster }: { readonly cluster: Cluster }) => (
  <>
    <th scope="row">
      <Link href={clusterHref(cluster.id)}>{visible(cluster.name)}</Link>
    </th>
    <td>
      <span className={`state ${cluster.state}`} title={cluster.haltedBecause ?? undefined}>
        {t.clusters.states[cluster.state]}
      </span>
    </td>
    <td className="aside">{cluster.version}</td>
    <td className="number">{cluster.nodes}</td>
    <td className="aside">
      {Object.entries(cluster.labels).map(([key, value]) => (
        <span key={key} className="label" title={labelText(key, value)}>
          {labelText(key.split('/').at(-1)!, value)}
        </span>
      ))}
    </td>
    <td className="number">
      <Age at={cluster.createdAt} />
    </td>
    <td className="number aside">
      <Age at={cluster.lastUsedAt} />
    </td>
    <td className="number aside">
      {cluster.expiresAt ? <Age at={cluster.expiresAt} /> : <span className="quiet">{t.clusters.never}</span>}
    </td>
  </>
);
