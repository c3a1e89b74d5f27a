import { useMemo, useState } from 'react';
import type { Cluster } from '../../api/clusters.generated.js';
import { useClusters } from '../../api/live-clusters.js';
import { mayWrite, session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { useCommands } from '../../app/shell/commands.js';
import { useUrlState } from '../../app/routing/router.js';
import { Button } from '../../parts/Button.js';
import { Field } from '../../parts/Field.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { doToEach, pauseCluster, resumeCluster } from './actions.js';
import type { Asked } from './ClusterMenu.js';
import { ClusterTable } from './ClusterTable.js';
import { CreateDialog } from './CreateDialog.js';
import { EmptyList } from './EmptyList.js';
import { filterClusters, parseSort, sortClusters } from './filter.js';
import { KubeconfigDialog } from './KubeconfigDialog.js';
import { DeleteDialog, ExtendDialog, ForkDialog } from './SmallDialogs.js';

/** What a dialog is open for. */
type Open = 'create' | { readonly asked: Asked; readonly clusters: readonly Cluster[] } | undefined;

/** The tenant's clusters, live. */
export default function ClustersView() {
  const { clusters, isReady, failure } = useClusters();
  const isWriter = mayWrite(useStore(session));
  const [text, setText] = useUrlState('q');
  const [selector, setSelector] = useUrlState('l');
  const [sort, setSort] = useUrlState('sort', '-age');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Open>();
  const found = useMemo(() => filterClusters(clusters.values(), { text, selector }), [clusters, text, selector]);
  const sorted = useMemo(() => sortClusters(found ?? [], parseSort(sort)), [found, sort]);
  const taken = useMemo(() => new Set([...clusters.values()].map(({ name }) => name)), [clusters]);
  const create = () => setOpen('create');
  useCommands(
    isWriter ? [{ id: 'create', title: t.clusters.create, group: t.palette.actions, icon: 'plus', run: create }] : [],
    String(isWriter),
  );
  if (!isReady && !failure) return <Waiting what={t.clusters.waiting} />;
  const selected = sorted.filter(({ id }) => chosen.has(id));
  return (
    <section className="page">
      <header className="page-head">
        <h1>{t.clusters.title}</h1>
        <span className="count">{t.clusters.count(clusters.size)}</span>
        <span className="space" />
        {isWriter && (
          <Button tone="main" icon="plus" onClick={create}>
            {t.clusters.create}
          </Button>
        )}
      </header>
      <ErrorNotice failure={failure} />
      {clusters.size === 0 && isReady ? (
        <EmptyList isWriter={isWriter} />
      ) : (
        <>
          <div className="filters">
            <Field label={t.clusters.filter}>
              {(control) => <input {...control} type="search" value={text} onChange={(e) => setText(e.target.value)} />}
            </Field>
            <Field label={t.clusters.selector} {...(found ? {} : { error: t.clusters.badSelector })}>
              {(control) => (
                <input
                  {...control}
                  type="search"
                  value={selector}
                  placeholder="course=cka"
                  onChange={(e) => setSelector(e.target.value)}
                />
              )}
            </Field>
            {selected.length > 0 && (
              <Bulk clusters={selected} onAsk={(asked) => setOpen({ asked, clusters: selected })} />
            )}
          </div>
          <ClusterTable
            clusters={sorted}
            sort={parseSort(sort)}
            onSort={setSort}
            {...(isWriter
              ? {
                  chosen,
                  onChoose: setChosen,
                  onAsk: (asked: Asked, cluster: Cluster) => setOpen({ asked, clusters: [cluster] }),
                }
              : {})}
          />
          {sorted.length === 0 && <EmptyState icon="search" title={t.clusters.noMatch} />}
        </>
      )}
      <OpenDialog open={open} taken={taken} onClose={() => setOpen(undefined)} />
    </section>
  );
}

function OpenDialog({
  open,
  taken,
  onClose,
}: {
  readonly open: Open;
  readonly taken: ReadonlySet<string>;
  onClose(): void;
}) {
  if (open === undefined) return null;
  if (open === 'create') return <CreateDialog taken={taken} onClose={onClose} />;
  const { asked, clusters } = open;
  if (asked === 'delete') return <DeleteDialog clusters={clusters} onClose={onClose} />;
  if (asked === 'kubeconfig') return <KubeconfigDialog cluster={clusters[0]!} onClose={onClose} />;
  if (asked === 'extend') return <ExtendDialog clusters={clusters} onClose={onClose} />;
  return <ForkDialog cluster={clusters[0]!} onClose={onClose} />;
}

/** What can be done with all that are chosen. */
function Bulk({ clusters, onAsk }: { readonly clusters: readonly Cluster[]; onAsk(asked: Asked): void }) {
  const ids = clusters.map(({ id }) => id);
  return (
    <div className="bulk" role="group" aria-label={t.clusters.chosen(clusters.length)}>
      <span className="count">{t.clusters.chosen(clusters.length)}</span>
      <Button icon="pause" onClick={() => void doToEach(ids, pauseCluster, t.clusters.paused)}>
        {t.clusters.pause}
      </Button>
      <Button icon="play" onClick={() => void doToEach(ids, resumeCluster, t.clusters.resumed)}>
        {t.clusters.resume}
      </Button>
      <Button icon="clock" onClick={() => onAsk('extend')}>
        {t.clusters.extend}
      </Button>
      <Button icon="trash" tone="bad" onClick={() => onAsk('delete')}>
        {t.clusters.delete}
      </Button>
    </div>
  );
}
