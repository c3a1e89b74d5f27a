import { useMemo } from 'react';
import type { Cluster } from '../../api/clusters.js';
import { useClusters } from '../../api/live-clusters.js';
import { clusterHref } from '../../app/route.js';
import { Link, useUrlState } from '../../app/router.js';
import { Age } from '../../parts/Age.js';
import { Field } from '../../parts/Field.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { filterClusters, parseSort, sortClusters } from './filter.js';

/** The tenant's clusters, live. */
export default function ClustersView() {
  const { clusters, isReady, failure } = useClusters();
  const [text, setText] = useUrlState('q');
  const [selector, setSelector] = useUrlState('l');
  const [sort] = useUrlState('sort', '-age');
  const found = useMemo(() => filterClusters(clusters.values(), { text, selector }), [clusters, text, selector]);
  const sorted = useMemo(() => sortClusters(found ?? [], parseSort(sort)), [found, sort]);
  if (!isReady && !failure) return <Waiting what={t.clusters.waiting} />;
  return (
    <section className="page">
      <header className="page-head">
        <h1>{t.clusters.title}</h1>
        <span className="count">{t.clusters.count(clusters.size)}</span>
      </header>
      <ErrorNotice failure={failure} />
      <div className="filters">
        <Field label={t.clusters.filter}>
          {(control) => <input {...control} type="search" value={text} onChange={(e) => setText(e.target.value)} />}
        </Field>
        <Field label={t.clusters.selector}>
          {(control) => (
            <input
              {...control}
              type="search"
              value={selector}
              onChange={(e) => setSelector(e.target.value)}
              aria-invalid={!found}
            />
          )}
        </Field>
      </div>
      {clusters.size === 0 ? (
        <EmptyState icon="clusters" title={t.clusters.none}>
          <p>{t.clusters.noneHint}</p>
        </EmptyState>
      ) : (
        <ClusterTable clusters={sorted} />
      )}
    </section>
  );
}

const ClusterTable = ({ clusters }: { readonly clusters: readonly Cluster[] }) => (
  <table className="table">
    <thead>
      <tr>
        {(['name', 'state', 'version', 'nodes', 'labels', 'age', 'used', 'ends'] as const).map((column) => (
          <th key={column} scope="col">
            {t.clusters.columns[column]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {clusters.map((cluster) => (
        <tr key={cluster.id}>
          <th scope="row">
            <Link href={clusterHref(cluster.id)}>{visible(cluster.name)}</Link>
          </th>
          <td>
            <span className={`state ${cluster.state}`}>{t.clusters.states[cluster.state]}</span>
          </td>
          <td>{cluster.version}</td>
          <td className="number">{cluster.nodes}</td>
          <td>
            {Object.entries(cluster.labels).map(([key, value]) => (
              <span key={key} className="label">
                {visible(value ? `${key}=${value}` : key)}
              </span>
            ))}
          </td>
          <td>
            <Age at={cluster.createdAt} />
          </td>
          <td>
            <Age at={cluster.lastUsedAt} />
          </td>
          <td>{cluster.expiresAt ? <Age at={cluster.expiresAt} /> : t.clusters.never}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
