import { useState } from 'react';
import { useSubscription } from '../../api/graphql.js';
import { useCluster } from '../../app/cluster-context.js';
import { Age } from '../../parts/Age.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { Health } from './Health.js';
import { CHANGES, type Change } from './operations.generated.js';
import './overview.css';

const MAX_SHOWN = 200;

/** What the cluster is, what is not well in it and why, and what happens in it, with who did it. */
export default function Overview() {
  const { cluster, clusterId } = useCluster();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  const failure = useSubscription(
    CHANGES,
    () => ({ clusterId, ...(changes[0] ? { fromRevision: changes[0].revision } : {}) }),
    ({ changes: change }) => setChanges((last) => [change, ...last].slice(0, MAX_SHOWN)),
    { key: clusterId },
  );
  return (
    <section className="page">
      <header className="page-head">
        <h1>{visible(cluster.name)}</h1>
        <span className="count">
          Kubernetes {cluster.version} · <Age at={cluster.createdAt} />
        </span>
      </header>
      <ErrorNotice failure={failure} />
      <Health />
      <h2>{t.overview.changes}</h2>
      {changes.length === 0 && <p className="quiet">{t.overview.changesWaiting}</p>}
      <ol className="changes">
        {changes.map(({ revision, type, resource, namespace, name, actor }) => (
          <li key={revision}>
            <span className={`change ${type}`}>{type}</span> {visible(resource)}{' '}
            {visible(namespace ? `${namespace}/${name}` : name)}{' '}
            <span className="quiet">{t.overview.by(visible(actor))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
