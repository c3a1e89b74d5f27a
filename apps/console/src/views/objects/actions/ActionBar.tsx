import { Suspense, useState } from 'react';
import { toFailure } from '../../../api/failure.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { navigate, useClusterHref } from '../../../app/routing/router.js';
import { say } from '../../../app/shell/toasts.js';
import type { KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import type { Row } from '../../../kube/row.js';
import { Button } from '../../../parts/Button.js';
import { Waiting } from '../../../parts/Notice.js';
import { t } from '../../../texts/texts.js';
import { actionsOf, type ActionName } from './actions.js';
import { logSources } from './log-sources.js';

const ActionDialog = lazyPart(() => import('./ActionDialog.js'));

type Target = Pick<Row, 'key' | 'namespace' | 'name'>;

interface ActionBarProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly rows: readonly Target[];
  readonly total: number;
  readonly all: number;
  readonly isPast: boolean;
  onDone(): void;
}

/** How many rows there are, and what can be done with those that are selected. */
export function ActionBar({ clusterId, resource, rows, total, all, isPast, onDone }: ActionBarProps) {
  return (
    <div className="action-bar">
      <p role="status">
        {t.objects.count(total, all)}
        {rows.length > 0 && ` · ${t.objects.selected(rows.length)}`}
      </p>
      {rows.length > 0 && !isPast && (
        <ActionButtons clusterId={clusterId} resource={resource} targets={rows} onDone={onDone} />
      )}
    </div>
  );
}

export interface ActionButtonsProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly targets: readonly Target[];
  /** The one target, where it is known. */
  readonly object?: KubeObject;
  onDone(action: ActionName): void;
}

/** What can be done with some objects of a resource, as kubectl does it. */
export function ActionButtons({ clusterId, resource, targets, object, onDone }: ActionButtonsProps) {
  const [asked, setAsked] = useState<ActionName>();
  const href = useClusterHref(clusterId);
  const choose = (action: ActionName): void => {
    const { namespace, name } = targets[0]!;
    if (action === 'logs') return void showLogs();
    if (action === 'started') return navigate(href('start', namespace, name));
    if (action !== 'terminal') return setAsked(action);
    const place = resource.resource === 'nodes' ? `node/${name}` : `${namespace}/${name}`;
    navigate(`${href('terminal')}${joint(href('terminal'))}open=${encodeURIComponent(place)}`);
  };
  /** Of a workload those of its pods, as they are now. */
  const showLogs = async (): Promise<void> => {
    try {
      const pods = await logSources(clusterId, resource, targets);
      navigate(`${href('logs')}${joint(href('logs'))}pods=${encodeURIComponent(pods)}`);
    } catch (error) {
      say(toFailure(error).message, 'bad');
    }
  };
  return (
    <div className="actions">
      {actionsOf(resource, object).map((action) => (
        <Button
          key={action}
          tone={action === 'delete' ? 'bad' : 'plain'}
          disabled={SINGLE.has(action) && targets.length > 1}
          onClick={() => choose(action)}
        >
          {t.objects.actions[action]}
        </Button>
      ))}
      {asked && (
        <Suspense fallback={<Waiting what={t.common.loading} />}>
          <ActionDialog
            action={asked}
            clusterId={clusterId}
            resource={resource}
            targets={targets}
            onClose={() => setAsked(undefined)}
            onDone={() => onDone(asked)}
          />
        </Suspense>
      )}
    </div>
  );
}

const SINGLE: ReadonlySet<ActionName> = new Set(['terminal', 'started']);

const joint = (href: string): string => (href.includes('?') ? '&' : '?');
