import { useMemo } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { Link, useClusterHref } from '../../../app/routing/router.js';
import type { KubeObject } from '../../../kube/object.js';
import { resourceName, type Resource } from '../../../kube/resource.js';
import { useTable } from '../../../kube/useTable.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { MiniTable } from './MiniTable.js';
import { namedBy, tablesOf, type RelatedTable } from './related.js';

/** What an object names, and what it selects, owns, and is reached by, live. */
export function Related({
  object,
  resources,
}: {
  readonly object: KubeObject;
  readonly resources: readonly Resource[];
}) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const named = useMemo(() => namedBy(object, resources), [object, resources]);
  const key = JSON.stringify(tablesOf(object, resources));
  // Equal tables are the same ones, so that a status that changes subscribes to nothing anew.
  const tables = useMemo(() => tablesOf(object, resources), [key]);
  if (named.length === 0 && tables.length === 0) return null;
  return (
    <section className="panel">
      <h2>{t.objects.related}</h2>
      {named.length > 0 && (
        <ul className="named">
          {named.map(({ relation, kind, resource, namespace, name }) => (
            <li key={[relation, kind, name].join('/')}>
              <span>{t.objects.relations[relation]}</span>
              {resource ? (
                <Link href={href('objects', resource, namespace || '-', name)}>
                  {visible(kind)} {visible(name)}
                </Link>
              ) : (
                `${visible(kind)} ${visible(name)}`
              )}
            </li>
          ))}
        </ul>
      )}
      {tables.map((table) => (
        <RelatedRows key={table.relation + resourceName(table.resource)} table={table} />
      ))}
    </section>
  );
}

function RelatedRows({
  table: { relation, resource, namespace, labelSelector, fieldSelector, prefix = '' },
}: {
  readonly table: RelatedTable;
}) {
  const { clusterId, at } = useCluster();
  const href = useClusterHref(clusterId);
  const { state } = useTable(
    {
      clusterId,
      apiVersion: resource.apiVersion,
      resource: resource.resource,
      ...(namespace ? { namespace } : {}),
      ...(labelSelector ? { labelSelector } : {}),
      ...(fieldSelector ? { fieldSelector } : {}),
    },
    at,
  );
  const rows = useMemo(() => [...state.rows.values()].filter(({ name }) => name.startsWith(prefix)), [state, prefix]);
  if (rows.length === 0) return null;
  const title = `${t.objects.tables[relation]}: ${resource.kind} (${rows.length})`;
  return (
    <>
      <h3>{title}</h3>
      <MiniTable
        label={title}
        state={state}
        rows={rows}
        hrefOf={(row) => href('objects', resourceName(resource), row.namespace || '-', row.name)}
      />
    </>
  );
}
