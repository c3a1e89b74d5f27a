import type { KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { t } from '../../../texts/texts.js';
import { actionsOf, type ActionName } from './actions.js';
import { useActions, type Target } from './use-actions.js';

interface ActionBarProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly rows: readonly Target[];
  /** Undefined until it is known. */
  readonly total: number | undefined;
  readonly all: number;
  readonly isPast: boolean;
  onDone(): void;
}

/** How many rows there are, and what can be done with those that are selected. */
export function ActionBar({ clusterId, resource, rows, total, all, isPast, onDone }: ActionBarProps) {
  return (
    <div className="action-bar">
      <p role="status">
        {total !== undefined && t.objects.count(total, all)}
        {rows.length > 0 && ` · ${t.objects.selected(rows.length)}`}
      </p>
      {rows.length > 0 && !isPast && (
        <ActionButtons clusterId={clusterId} resource={resource} targets={rows} onDone={onDone} />
      )}
    </div>
  );
}

interface ActionButtonsProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly targets: readonly Target[];
  /** The one target, where it is known. */
  readonly object?: KubeObject;
  onDone(action: ActionName): void;
}

/** What can be done with some objects of a resource, as kubectl does it. */
export function ActionButtons({ clusterId, resource, targets, object, onDone }: ActionButtonsProps) {
  const { choose, dialog } = useActions({ clusterId, resource, onDone });
  return (
    <div className="actions">
      {actionsOf(resource, object).map((action) => (
        <Button
          key={action}
          tone={action === 'delete' ? 'bad' : 'plain'}
          disabled={SINGLE.has(action) && targets.length > 1}
          onClick={() => choose(action, targets)}
        >
          {t.objects.actions[action]}
        </Button>
      ))}
      {dialog}
    </div>
  );
}

const SINGLE: ReadonlySet<ActionName> = new Set(['terminal', 'attach', 'debug', 'started']);
