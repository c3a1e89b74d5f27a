import { Suspense, useMemo, useRef, useState } from 'react';
import { useCluster } from '../../app/cluster-context.js';
import { lazyPart } from '../../app/routing/load-patiently.js';
import { parseRoute } from '../../app/routing/route.js';
import { navigate, useClusterHref, useNamespaces, useUrlState } from '../../app/routing/router.js';
import { findResource, resourceName, type Resource } from '../../kube/resource.js';
import type { Row } from '../../kube/row.js';
import { useResources } from '../../kube/useResources.js';
import { parseSort, RowOrder, sortText, type Extra } from '../../kube/table-state.js';
import { useTable } from '../../kube/useTable.js';
import { useNow } from '../../kube/useNow.js';
import { Button } from '../../parts/Button.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import type { ViewProps } from '../views.js';
import { ActionBar } from './actions/ActionBar.js';
import { RowMenu, type OpenMenu } from './actions/RowMenu.js';
import { ColumnPicker } from './columns/ColumnPicker.js';
import { useColumns } from './columns/use-columns.js';
import { Grid } from './Grid.js';
import { KindPicker } from './KindPicker.js';
import { NamespacePicker } from './NamespacePicker.js';
import { useUsage } from './usage/use-usage.js';
import './objects.css';

const DEFAULT = 'pods';
const Details = lazyPart(() => import('./details/Details.js'), parseRoute(location.pathname).rest.length > 2);
const NewObject = lazyPart(() => import('./editor/NewObject.js'));

/**
 * Every kind of a cluster as the API server's own table, live; and one object of it:
 * /objects/<resource>/<namespace>/<name>.
 */
export default function Objects({ rest }: ViewProps) {
  const { clusterId, at } = useCluster();
  const { resources, failure } = useResources(clusterId, at);
  const href = useClusterHref(clusterId);
  const resource = useMemo(() => findResource(resources, rest[0] ?? DEFAULT), [resources, rest]);
  return (
    <div className="objects">
      <KindPicker
        resources={resources}
        chosen={resource}
        onChoose={(next) => navigate(href('objects', resourceName(next)))}
      />
      <section className="objects-main" aria-label={t.objects.title}>
        <ErrorNotice failure={failure} />
        {resource && rest[2] !== undefined && (
          <Suspense fallback={<Waiting what={t.common.loading} />}>
            <Details
              key={rest.join('/')}
              resource={resource}
              resources={resources}
              namespace={rest[1] === '-' ? '' : rest[1]!}
              name={rest[2]}
            />
          </Suspense>
        )}
        {resource && rest[2] === undefined && (
          <ResourceTable
            key={resourceName(resource)}
            clusterId={clusterId}
            resource={resource}
            resources={resources}
            at={at}
          />
        )}
        {!resource && resources.length > 0 && <EmptyState title={t.objects.unknownKind(rest[0] ?? '')} />}
        {!resource && resources.length === 0 && !failure && <Waiting what={t.objects.waitingForKinds} />}
      </section>
    </div>
  );
}

interface ResourceTableProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly resources: readonly Resource[];
  readonly at: string;
}

function ResourceTable({ clusterId, resource, resources, at }: ResourceTableProps) {
  const [namespaces, setNamespaces] = useNamespaces();
  const [namespace = ''] = namespaces;
  const hasSeveral = resource.namespaced && namespaces.length !== 1;
  const [text, setText] = useUrlState('q');
  const [labels, setLabels] = useUrlState('l');
  const [fields, setFields] = useUrlState('f');
  const [sort, setSort] = useUrlState('sort');
  const href = useClusterHref(clusterId);
  const filter = useRef<HTMLInputElement>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [creating, setCreating] = useUrlState('new');
  const { state, isLoading, failure } = useTable(
    {
      clusterId,
      apiVersion: resource.apiVersion,
      resource: resource.resource,
      ...(resource.namespaced && namespaces.length === 1 ? { namespace } : {}),
      ...(labels ? { labelSelector: labels } : {}),
      ...(fields ? { fieldSelector: fields } : {}),
    },
    at,
    resource.namespaced && namespaces.length > 1 ? namespaces : undefined,
  );
  const [order] = useState(() => new RowOrder());
  const usages = useUsage({ clusterId, at, resource, resources, namespace: hasSeveral ? '' : namespace });
  const {
    choices,
    chosen: chosenColumns,
    choose,
  } = useColumns({
    resource: resourceName(resource),
    columns: state.columns,
    showsNamespace: hasSeveral,
    isMeasured: usages !== undefined,
  });
  const rows = useMemo(
    () => order.order(state, { text, sort: parseSort(sort), extra: usages as Extra | undefined }),
    [order, state, text, sort, usages],
  );
  const now = useNow(state.time);
  const open = (row: Row): void => navigate(href('objects', resourceName(resource), row.namespace || '-', row.name));
  const [menu, setMenu] = useState<OpenMenu>();
  const showMenu = (row: Row, button: HTMLElement): void => setMenu({ row, button });
  const chosen = useMemo(() => rows.filter(({ key }) => selected.has(key)), [rows, selected]);

  return (
    <>
      <header className="objects-bar">
        <h1>{resource.kind}</h1>
        {resource.namespaced && (
          <NamespacePicker clusterId={clusterId} at={at} value={namespaces} onChange={setNamespaces} />
        )}
        <input
          ref={filter}
          type="search"
          className="objects-filter"
          aria-label={t.objects.filter}
          placeholder={t.objects.filterHint}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Selector label={t.objects.labelSelector} value={labels} onChange={setLabels} />
        <Selector label={t.objects.fieldSelector} value={fields} onChange={setFields} />
        <ColumnPicker choices={choices} chosen={chosenColumns} onChange={choose} />
        {at === '' && resource.verbs.includes('create') && (
          <Button icon="plus" onClick={() => setCreating('1')}>
            {t.objects.create}
          </Button>
        )}
      </header>
      <ActionBar
        clusterId={clusterId}
        resource={resource}
        rows={chosen}
        total={isLoading ? undefined : rows.length}
        all={state.rows.size}
        isPast={at !== ''}
        onDone={() => setSelected(new Set())}
      />
      <ErrorNotice failure={failure} />
      {isLoading && <Waiting what={t.objects.waitingForRows(resource.resource)} />}
      {!isLoading && !failure && (
        <Grid
          label={resource.kind}
          columns={state.columns}
          rows={rows}
          showsNamespace={hasSeveral}
          chosen={chosenColumns}
          sort={parseSort(sort)}
          now={now}
          selected={selected}
          usages={usages}
          hasShare={!resource.namespaced}
          onMenu={at === '' ? showMenu : undefined}
          onSelect={setSelected}
          onSort={(next) => setSort(sortText(next))}
          onOpen={open}
          onFilter={() => filter.current?.focus()}
        />
      )}
      <RowMenu clusterId={clusterId} resource={resource} menu={menu} onClose={() => setMenu(undefined)} />
      {creating === '1' && at === '' && (
        <Suspense fallback={<Waiting what={t.common.loading} />}>
          <NewObject
            clusterId={clusterId}
            resource={resource}
            namespace={namespace}
            onClose={() => setCreating(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Asks the server only when what is typed is finished. */
function Selector({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}) {
  const [draft, setDraft] = useState(value);
  return (
    <input
      type="text"
      className="objects-selector"
      aria-label={label}
      placeholder={label}
      spellCheck={false}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => onChange(draft.trim())}
      onKeyDown={(event) => event.key === 'Enter' && onChange(draft.trim())}
    />
  );
}
