import { navigate, useClusterHref } from '../../../app/routing/router.js';
import { resourceName, type Resource } from '../../../kube/resource.js';
import type { Row } from '../../../kube/row.js';
import { MenuAt, type MenuItem } from '../../../parts/menu/Menu.js';
import { t } from '../../../texts/texts.js';
import { actionsOf } from './actions.js';
import { useActions } from './use-actions.js';

export interface OpenMenu {
  readonly row: Row;
  /** Where it opens, and what has the focus again. */
  readonly button: HTMLElement;
}

interface RowMenuProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly menu: OpenMenu | undefined;
  onClose(): void;
}

/** What can be done with one row: one menu for all of them. */
export function RowMenu({ clusterId, resource, menu, onClose }: RowMenuProps) {
  const { choose, dialog } = useActions({ clusterId, resource });
  const href = useClusterHref(clusterId);
  const itemsOf = (row: Row): MenuItem[] => {
    const place = href('objects', resourceName(resource), row.namespace || '-', row.name);
    return [
      { title: t.objects.open, run: () => navigate(place) },
      { title: t.objects.openYaml, run: () => navigate(`${place}${place.includes('?') ? '&' : '?'}tab=yaml`) },
      ...actionsOf(resource).map((action) => ({
        title: t.objects.actions[action],
        ...(action === 'delete' ? { tone: 'bad' as const } : {}),
        run: () => choose(action, [row]),
      })),
    ];
  };
  return (
    <>
      {menu && <MenuAt anchor={menu.button} items={itemsOf(menu.row)} onClose={onClose} />}
      {dialog}
    </>
  );
}
