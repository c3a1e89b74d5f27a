import { useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { mutate } from '../../api/graphql.js';
import { mayWrite, session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { useCluster } from '../../app/cluster-context.js';
import { Link, useClusterHref } from '../../app/routing/router.js';
import { say } from '../../app/shell/toasts.js';
import { APPLY_MANIFEST } from '../../kube/operations.generated.js';
import { Button } from '../../parts/Button.js';
import { Icon, type IconName } from '../../parts/Icon.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { KubeconfigDialog } from '../clusters/KubeconfigDialog.js';
import { EXAMPLES, type Example } from './examples.js';

/** What one can do with a cluster next, without having read anything: for who may write, of the present. */
export function Next() {
  const { cluster, clusterId, at } = useCluster();
  const isWriter = mayWrite(useStore(session));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const [isAsking, setAsking] = useState(false);
  if (!isWriter || at !== '') return null;
  const run = async ({ id, manifests }: Example): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      for (const manifest of manifests) await mutate(APPLY_MANIFEST, { id: clusterId, manifest });
      say(t.overview.examples[id].done);
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="next" aria-labelledby="next-title">
      <h2 id="next-title">{t.overview.next}</h2>
      <ul>
        {EXAMPLES.map((example) => (
          <li key={example.id}>
            <Button icon="play" disabled={isBusy} onClick={() => void run(example)}>
              {t.overview.examples[example.id].title}
            </Button>
          </li>
        ))}
        <NextLink icon="terminal" view="terminal" query="open=node/control-plane" text={t.overview.terminal} />
        <NextLink icon="plus" view="objects" query="new=1" text={t.overview.write} />
        <NextLink icon="picture" view="picture" text={t.overview.picture} />
        <li>
          <Button icon="download" onClick={() => setAsking(true)}>
            {t.kubeconfig.open}
          </Button>
        </li>
      </ul>
      <ErrorNotice failure={failure} />
      {isAsking && <KubeconfigDialog cluster={cluster} onClose={() => setAsking(false)} />}
    </section>
  );
}

interface NextLinkProps {
  readonly icon: IconName;
  readonly view: string;
  readonly query?: string;
  readonly text: string;
}

function NextLink({ icon, view, query, text }: NextLinkProps) {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId)(view);
  return (
    <li>
      <Link className="button plain" href={query ? `${href}${href.includes('?') ? '&' : '?'}${query}` : href}>
        <Icon name={icon} />
        {text}
      </Link>
    </li>
  );
}
