import type { Cluster } from '../../api/clusters.generated.js';
import { IconButton } from '../../parts/Button.js';
import { Menu } from '../../parts/menu/Menu.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { doToEach, pauseCluster, resumeCluster } from './actions.js';

export type Asked = 'kubeconfig' | 'fork' | 'extend' | 'delete';

/** What can be done with one cluster. */
export function ClusterMenu({ cluster, onAsk }: { readonly cluster: Cluster; onAsk(asked: Asked): void }) {
  const isPaused = cluster.state === 'paused';
  return (
    <Menu
      trigger={<IconButton icon="more" label={t.clusters.actionsOf(visible(cluster.name))} />}
      items={[
        isPaused
          ? {
              title: t.clusters.resume,
              icon: 'play',
              run: () => void doToEach([cluster.id], resumeCluster, t.clusters.resumed),
            }
          : {
              title: t.clusters.pause,
              icon: 'pause',
              run: () => void doToEach([cluster.id], pauseCluster, t.clusters.paused),
            },
        { title: t.clusters.kubeconfig, icon: 'download', run: () => onAsk('kubeconfig') },
        { title: t.clusters.fork, icon: 'fork', run: () => onAsk('fork') },
        { title: t.clusters.extend, icon: 'clock', run: () => onAsk('extend') },
        { title: t.clusters.delete, icon: 'trash', tone: 'bad', run: () => onAsk('delete') },
      ]}
    />
  );
}
