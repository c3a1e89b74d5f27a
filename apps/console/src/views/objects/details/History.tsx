import { Suspense, useState } from 'react';
import { useQuery } from '../../../api/graphql.js';
import { pathOf, resourceName, type Resource } from '../../../kube/resource.js';
import { READ_TIMELINE } from '../../../kube/why/why.generated.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { Button } from '../../../parts/Button.js';
import { whoText } from '../../../kube/why/who.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { timeText } from './facts.js';
import { RevisionLink } from './WhyPanel.js';

const RevisionDiff = lazyPart(() => import('./RevisionDiff.js'));

interface HistoryProps {
  readonly clusterId: string;
  readonly at: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly revision: string;
}

const LIMIT = 200;

/** Who changed an object, when and because of what; and how it differs between two of its revisions. */
export default function History({ clusterId, resource, namespace, name, revision }: HistoryProps) {
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const filter = {
    resource: resourceName(resource),
    ...(namespace ? { namespace } : {}),
    name,
    limit: LIMIT,
    ...(/^\d+$/.test(revision) ? { before: Number(revision) + 1 } : {}),
  };
  const { data, failure, isLoading } = useQuery(READ_TIMELINE, { clusterId, filter });
  const entries = data?.timeline.entries ?? [];
  const choose = (one: number): void =>
    setChosen((last) => (last.includes(one) ? last.filter((r) => r !== one) : [...last.slice(-1), one]));
  const [from, to] = [...chosen].sort((a, b) => a - b);
  return (
    <div className="history">
      <section className="panel">
        <p className="hint">{t.objects.historyHint}</p>
        <ErrorNotice failure={failure} />
        {isLoading && !data && <Waiting what={t.objects.waitingForHistory} />}
        <ol className="timeline">
          {entries.map(({ revision: at, at: time, actor, cause, verb, fields }, i) => (
            <li key={at}>
              <label>
                <input type="checkbox" checked={chosen.includes(at)} onChange={() => choose(at)} />
                <span className="visually-hidden">{t.objects.compareRevision(at)}</span>
              </label>
              <RevisionLink revision={at} />
              <time dateTime={time}>{visible(timeText(time))}</time>
              <strong title={visible(actor)}>{visible(whoText(actor))}</strong>
              <span>{t.objects.verbs[verb as keyof typeof t.objects.verbs] ?? visible(verb)}</span>
              <code>{visible(fields.join(', '))}</code>
              {cause > 0 && (
                <span>
                  {t.objects.because} <RevisionLink revision={cause} />
                </span>
              )}
              {entries[i + 1] && (
                <Button tone="quiet" onClick={() => setChosen([entries[i + 1]!.revision, at])}>
                  {t.objects.whatChanged}
                </Button>
              )}
            </li>
          ))}
        </ol>
        {data?.timeline.ends && <p className="hint">{visible(data.timeline.ends)}</p>}
      </section>
      {from !== undefined && to !== undefined && (
        <Suspense fallback={<Waiting what={t.common.loading} />}>
          <RevisionDiff clusterId={clusterId} path={pathOf(resource, namespace, name)} from={from} to={to} />
        </Suspense>
      )}
    </div>
  );
}
