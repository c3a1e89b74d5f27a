import { Suspense, useState } from 'react';
import { useQuery } from '../../api/graphql.js';
import { LIST_LABS, type LabSummary } from '../../api/labs.generated.js';
import { mayWrite, session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { lazyPart } from '../../app/routing/load-patiently.js';
import { Link } from '../../app/routing/router.js';
import { Age } from '../../parts/Age.js';
import { Button } from '../../parts/Button.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { NewLabDialog } from './NewLabDialog.js';
import { StartDialog } from './StartDialog.js';

const ExampleLabs = lazyPart(() => import('./ExampleLabs.js'));

/** Columns that a phone leaves out. */
const ASIDE: ReadonlySet<string> = new Set(['name', 'checks', 'minutes', 'updated']);

/** The tenant's labs, with what can be done with each. */
export function LabList() {
  const isWriter = mayWrite(useStore(session));
  const { data, failure, refetch } = useQuery(LIST_LABS, {});
  const [starting, setStarting] = useState<Pick<LabSummary, 'name' | 'title'>>();
  const [isNew, setNew] = useState(false);
  const taken = (lab: Pick<LabSummary, 'name' | 'title'>): void => {
    refetch();
    setStarting(lab);
  };
  if (!data) return failure ? <ErrorNotice failure={failure} onRetry={refetch} /> : <Waiting what={t.labs.waiting} />;
  const { labs } = data;
  return (
    <section className="page">
      <header className="page-head">
        <h1>{t.labs.title}</h1>
        <span className="count">{t.labs.count(labs.length)}</span>
        <span className="space" />
        {isWriter && (
          <Button tone="main" icon="plus" onClick={() => setNew(true)}>
            {t.labs.create}
          </Button>
        )}
      </header>
      <ErrorNotice failure={failure} />
      {labs.length === 0 ? (
        <EmptyState icon="labs" title={t.labs.none}>
          <p>{t.labs.noneHint}</p>
        </EmptyState>
      ) : (
        <div className="table-scroll" tabIndex={0} role="region" aria-label={t.labs.title}>
          <table className="table">
            <thead>
              <tr>
                {(['title', 'name', 'steps', 'checks', 'minutes', 'updated', 'actions'] as const).map((column) => (
                  <th key={column} scope="col" className={ASIDE.has(column) ? 'aside' : undefined}>
                    {t.labs.columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labs.map((lab) => (
                <tr key={lab.name}>
                  <th scope="row">
                    <Link href={`/labs/${encodeURIComponent(lab.name)}`} title={visible(lab.summary)}>
                      {visible(lab.title)}
                    </Link>
                  </th>
                  <td className="aside">{visible(lab.name)}</td>
                  <td className="number">{lab.steps}</td>
                  <td className="number aside">{lab.checks}</td>
                  <td className="number aside">{lab.minutes ?? ''}</td>
                  <td className="number aside">
                    <Age at={lab.updatedAt} />
                  </td>
                  <td>
                    {isWriter && (
                      <Button icon="play" onClick={() => setStarting(lab)}>
                        {t.labs.start}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isWriter && (
        <details className="lab-examples" open={labs.length === 0}>
          <summary>{t.labs.examplesTitle}</summary>
          <Suspense fallback={<Waiting what={t.common.loading} />}>
            <ExampleLabs onTaken={taken} />
          </Suspense>
        </details>
      )}
      {starting && <StartDialog lab={starting} onClose={() => setStarting(undefined)} />}
      {isNew && (
        <NewLabDialog
          onClose={() => setNew(false)}
          onMade={() => {
            setNew(false);
            refetch();
          }}
        />
      )}
    </section>
  );
}
