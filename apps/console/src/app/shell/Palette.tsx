import { Command as Kit } from 'cmdk';
import { useState } from 'react';
import { useClusters } from '../../api/live-clusters.js';
import { session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { Icon } from '../../parts/Icon.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { VIEWS } from '../../views/views.js';
import { useObjectCommands } from './cluster-commands.js';
import { commands, paletteOpen, shortcutsOpen, type Command } from './commands.js';
import { clusterHref, topHref } from '../routing/route.js';
import { navigate, useClusterHref, useRoute } from '../routing/router.js';

const MAX_CLUSTERS = 200;

/**
 * 0 for what has not all the words; the more of a title is what was typed, the higher: what is called so stands above
 * what is only like it.
 */
function rankOf(_id: string, search: string, keywords: readonly string[] = []): number {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const [title = '', ...more] = keywords.map((one) => one.toLowerCase());
  if (!words.every((word) => [title, ...more].some((text) => text.includes(word)))) return 0;
  const own = words.filter((word) => title.includes(word)).join(' ').length;
  return 0.01 + (0.99 * own) / Math.max(title.length, own, 1);
}

/** Everything that can be done here, by name. */
export default function Palette() {
  const [text, setText] = useState('');
  const route = useRoute();
  const clusterId = route.place === 'cluster' ? route.clusterId : '';
  const offered = [
    ...useViewCommands(),
    ...useStore(commands),
    ...useObjectCommands(clusterId, text),
    ...useClusterCommands(),
    SHORTCUTS,
  ];
  const groups = [...new Set(offered.map(({ group }) => group))];
  const run = (command: Command): void => {
    paletteOpen.set(false);
    command.run();
  };
  return (
    <Kit.Dialog
      open
      onOpenChange={(open) => paletteOpen.set(open)}
      label={t.palette.title}
      loop
      filter={rankOf}
      overlayClassName="overlay"
      contentClassName="dialog palette"
    >
      <Kit.Input
        value={text}
        onValueChange={setText}
        placeholder={t.palette.placeholder}
        aria-label={t.palette.title}
      />
      <Kit.List>
        <Kit.Empty>{t.palette.none}</Kit.Empty>
        {groups.map((group) => (
          <Kit.Group key={group} heading={group}>
            {offered
              .filter((command) => command.group === group)
              .map((command) => (
                <Kit.Item
                  key={command.id}
                  value={command.id}
                  keywords={[command.title, ...(command.words ?? [])]}
                  onSelect={() => run(command)}
                >
                  {command.icon && <Icon name={command.icon} />}
                  {visible(command.title)}
                </Kit.Item>
              ))}
          </Kit.Group>
        ))}
      </Kit.List>
    </Kit.Dialog>
  );
}

const SHORTCUTS: Command = {
  id: 'shortcuts',
  title: t.shortcuts.title,
  group: t.palette.actions,
  run: () => shortcutsOpen.set(true),
};

function useViewCommands(): Command[] {
  const route = useRoute();
  const now = useStore(session);
  const clusterId = route.place === 'cluster' ? route.clusterId : '';
  const href = useClusterHref(clusterId);
  const isOperator = now.state === 'in' && now.session.kind === 'operator';
  const cluster = useClusters().clusters.get(clusterId);
  return VIEWS.filter(
    ({ place, who, isOf }) =>
      (who === 'operator') === isOperator &&
      (place === 'top' || clusterId !== '') &&
      (!isOf || (cluster !== undefined && isOf(cluster))),
  ).map(({ id, icon, place }) => ({
    id: `view:${id}`,
    title: t.views[id],
    group: t.palette.views,
    icon,
    run: () => navigate(place === 'top' ? topHref(id) : href(id)),
  }));
}

function useClusterCommands(): Command[] {
  const { clusters } = useClusters();
  return [...clusters.values()].slice(0, MAX_CLUSTERS).map(({ id, name, labels }) => ({
    id: `cluster:${id}`,
    title: name,
    group: t.palette.clusters,
    icon: 'clusters' as const,
    words: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    run: () => navigate(clusterHref(id)),
  }));
}
