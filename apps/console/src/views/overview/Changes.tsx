import { useState } from 'react';
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

/** What changes while one looks, and who does it; the last first. */
export function Changes() {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const failure = useSubscription(
    CHANGES,
    () => ({ clusterId, ...(changes[0] ? { fromRevision: changes[0].revision } : {}) }),
    ({ changes: change }) =>
      isBookkeeping(change.resource) || setChanges((last) => [change, ...last].slice(0, MAX_SHOWN)),
    { key: clusterId },
  );
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
