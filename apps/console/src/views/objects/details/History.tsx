import { Suspense, useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { useQuery } from '../../../api/graphql.js';
import { read } from '../../../kube/client.js';
import { pathOf, resourceName, type Resource } from '../../../kube/resource.js';
import { READ_TIMELINE } from '../../../kube/why/why.generated.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { Button } from '../../../parts/Button.js';
import { whoText } from '../../../kube/why/who.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { printYaml } from '../editor/apply.js';
import { withoutManaged } from '../editor/conflicts.js';
import { timeText } from './facts.js';
import { RevisionLink } from './WhyPanel.js';

const DiffView = lazyPart(() => import('../editor/DiffView.js'));

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
        <RevisionDiff clusterId={clusterId} path={pathOf(resource, namespace, name)} from={from} to={to} />
      )}
    </div>
  );
}

interface RevisionDiffProps {
  readonly clusterId: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

function RevisionDiff({ clusterId, path, from, to }: RevisionDiffProps) {
  const [texts, setTexts] = useState<readonly [string, string]>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    const stop = new AbortController();
    setTexts(undefined);
    setFailure(undefined);
    const textAt = async (revision: number): Promise<string> =>
      printYaml(withoutManaged(await read({ clusterId, at: String(revision) }, path, stop.signal)));
    Promise.all([textAt(from), textAt(to)]).then(setTexts, (error: unknown) => {
      if (!stop.signal.aborted) setFailure(toFailure(error));
    });
    return () => stop.abort();
  }, [clusterId, path, from, to]);
  const title = t.objects.between(from, to);
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      <ErrorNotice failure={failure} />
      {texts && (
        <Suspense fallback={<Waiting what={t.common.loading} />}>
          <DiffView before={texts[0]} after={texts[1]} label={title} />
        </Suspense>
      )}
      {!texts && !failure && <Waiting what={t.objects.waitingForHistory} />}
    </section>
  );
}
