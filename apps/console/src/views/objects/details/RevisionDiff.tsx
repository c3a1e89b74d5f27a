import { Suspense, useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { read } from '../../../kube/client.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { t } from '../../../texts/texts.js';
import { printYaml } from '../editor/apply.js';
import { withoutManaged } from '../editor/conflicts.js';

const DiffView = lazyPart(() => import('../editor/DiffView.js'));

interface RevisionDiffProps {
  readonly clusterId: string;
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** How an object differs between two of its revisions, as YAML. */
export default function RevisionDiff({ clusterId, path, from, to }: RevisionDiffProps) {
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
