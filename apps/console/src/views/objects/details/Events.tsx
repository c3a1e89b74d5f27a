import { useMemo } from 'react';
import { useCluster } from '../../../app/cluster-context.js';
import { parseDuration } from '../../../kube/age.js';
import type { KubeObject } from '../../../kube/object.js';
import type { Row } from '../../../kube/row.js';
import { useTable } from '../../../kube/useTable.js';
import { ErrorNotice } from '../../../parts/Notice.js';
import { t } from '../../../texts/texts.js';
import { MiniTable } from './MiniTable.js';

const WITHOUT = ['Object', 'Name', 'Namespace'];

/** What the components have said of an object, the newest first, live. */
export function Events({ object }: { readonly object: KubeObject }) {
  const { clusterId, at } = useCluster();
  const { kind, metadata } = object;
  const fieldSelector = [`involvedObject.kind=${kind}`, `involvedObject.name=${metadata.name}`].join(',');
  const { state, failure } = useTable(
    { clusterId, apiVersion: 'v1', resource: 'events', fieldSelector, namespace: metadata.namespace ?? 'default' },
    at,
  );
  const rows = useMemo(() => {
    const place = state.columns.findIndex(({ name }) => name === 'Last Seen');
    const seen = (row: Row): number =>
      (row.told ?? 0) - (parseDuration(String(row.cells[place] ?? '')) ?? Number.MAX_SAFE_INTEGER);
    return [...state.rows.values()].sort((a, b) => seen(b) - seen(a) || (a.created < b.created ? 1 : -1));
  }, [state]);
  return (
    <section className="panel">
      <h2>{t.objects.events}</h2>
      <ErrorNotice failure={failure} />
      {rows.length === 0 ? (
        <p className="hint">{t.objects.noEvents}</p>
      ) : (
        <MiniTable label={t.objects.events} state={state} rows={rows} without={WITHOUT} />
      )}
    </section>
  );
}
