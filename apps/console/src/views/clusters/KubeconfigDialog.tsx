import { useState } from 'react';
import type { Cluster } from '../../api/clusters.generated.js';
import { toFailure, type Failure } from '../../api/failure.js';
import { fetchPage } from '../../api/rest.js';
import { Button } from '../../parts/Button.js';
import { Dialog } from '../../parts/Dialog.js';
import { download } from '../../parts/download.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';

/** How to come to a cluster from a terminal of one's own: its kubeconfig, and what to type. */
export function KubeconfigDialog({ cluster, onClose }: { readonly cluster: Cluster; onClose(): void }) {
  const [failure, setFailure] = useState<Failure>();
  const file = `${cluster.name}.kubeconfig`;
  const save = async (): Promise<void> => {
    try {
      const answer = await fetchPage(`/v1/clusters/${encodeURIComponent(cluster.id)}/kubeconfig`);
      download(file, await answer.text());
      setFailure(undefined);
    } catch (error) {
      setFailure(toFailure(error));
    }
  };
  return (
    <Dialog title={t.kubeconfig.title(cluster.name)} description={t.kubeconfig.hint} isOpen onClose={onClose}>
      <pre className="commands">{t.kubeconfig.commands(file)}</pre>
      <ErrorNotice failure={failure} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t.common.close}</Button>
        <Button tone="main" icon="download" onClick={() => void save()}>
          {t.kubeconfig.download}
        </Button>
      </footer>
    </Dialog>
  );
}
