import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../api/failure.js';
import { useSubscription } from '../../api/graphql.js';
import { useCluster } from '../../app/cluster-context.js';
import { Link, useClusterHref } from '../../app/routing/router.js';
import { isBookkeeping } from '../../kube/order.js';
import { whoText } from '../../kube/why/who.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { CHANGES, type Change } from './operations.generated.js';

const MAX_SHOWN = 200;
/** Of 2026-01-01T10:20:30Z. */
const timeOfDay = (at: string): string => at.slice(11, 19);

/** Words are read, not watched: however much changes, the page is drawn a few times a second. */
const TOLD_MS = 300;

/** The last changes since one looks, without what only tells of others. */
function useChanges(clusterId: string): { readonly changes: readonly Change[]; readonly failure?: Failure } {
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const heard = useRef<Change[]>([]);
  const revision = useRef<number>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = (): void => {
    timer.current = undefined;
    const latest = heard.current.reverse();
    heard.current = [];
    setChanges((last) => [...latest, ...last].slice(0, MAX_SHOWN));
  };
  const failure = useSubscription(
    CHANGES,
    () => ({ clusterId, ...(revision.current === undefined ? {} : { fromRevision: revision.current }) }),
    ({ changes: change }) => {
      revision.current = change.revision;
      if (isBookkeeping(change.resource)) return;
      heard.current = [...heard.current.slice(1 - MAX_SHOWN), change];
      timer.current ??= setTimeout(tell, TOLD_MS);
    },
    { key: clusterId },
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  return { changes, ...(failure ? { failure } : {}) };
}

/** What changes while one looks, and who does it; the last first. */
export function Changes() {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const { changes, failure } = useChanges(clusterId);
  return (
    <section aria-labelledby="changes-title">
      <h2 id="changes-title">{t.overview.changes}</h2>
      <ErrorNotice failure={failure} />
      {changes.length === 0 && <p className="quiet">{t.overview.changesWaiting}</p>}
      <ol className="changes">
        {changes.map(({ revision, type, resource, namespace, name, actor, at }) => (
          <li key={revision}>
            <time className="quiet" dateTime={at}>
              {timeOfDay(at)}
            </time>{' '}
            <span className={`change ${type}`}>{VERBS[type] ?? type}</span> {visible(resource)}{' '}
            <Link href={href('objects', resource, namespace || '-', name)}>
              {visible(namespace ? `${namespace}/${name}` : name)}
            </Link>{' '}
            <span className="quiet" title={visible(actor)}>
              {t.overview.by(visible(whoText(actor)))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const VERBS: Readonly<Record<string, string>> = t.overview.verbs;
