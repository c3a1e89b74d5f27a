import { Suspense, useState, type ReactNode } from 'react';
import { toFailure } from '../../../api/failure.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { navigate, useClusterHref } from '../../../app/routing/router.js';
import { say } from '../../../app/shell/toasts.js';
import { resourceName, type Resource } from '../../../kube/resource.js';
import type { Row } from '../../../kube/row.js';
import { Waiting } from '../../../parts/Notice.js';
import { t } from '../../../texts/texts.js';
import type { ActionName } from './actions.js';
import { logSources } from './log-sources.js';

const ActionDialog = lazyPart(() => import('./ActionDialog.js'));
const DebugDialog = lazyPart(() => import('../debug/DebugDialog.js'));

export type Target = Pick<Row, 'key' | 'namespace' | 'name'>;

interface ActionsOptions {
  readonly clusterId: string;
  readonly resource: Resource;
  onDone?(action: ActionName): void;
}

interface Asked {
  readonly action: ActionName;
  readonly targets: readonly Target[];
}

/** Does what is chosen: goes to another view, or asks first, in the dialog that is to be shown. */
export function useActions({ clusterId, resource, onDone }: ActionsOptions): {
  choose(action: ActionName, targets: readonly Target[]): void;
  readonly dialog: ReactNode;
} {
  const [asked, setAsked] = useState<Asked>();
  const href = useClusterHref(clusterId);
  /** Of a workload those of its pods, as they are now. */
  const showLogs = async (targets: readonly Target[]): Promise<void> => {
    try {
      const pods = await logSources(clusterId, resource, targets);
      navigate(`${href('logs')}${joint(href('logs'))}pods=${encodeURIComponent(pods)}`);
    } catch (error) {
      say(toFailure(error).message, 'bad');
    }
  };
  const choose = (action: ActionName, targets: readonly Target[]): void => {
    const { namespace, name } = targets[0]!;
    if (action === 'logs') return void showLogs(targets);
    if (action === 'started') return navigate(href('start', namespace, name));
    // To which one is asked beside what each of them has.
    if (action === 'undo' && targets.length === 1) {
      const place = href('objects', resourceName(resource), namespace, name);
      return navigate(`${place}${joint(place)}tab=revisions`);
    }
    if (action === 'attach') return openTerminal(`attach/${namespace}/${name}/`);
    if (action !== 'terminal') return setAsked({ action, targets });
    openTerminal(resource.resource === 'nodes' ? `node/${name}` : `${namespace}/${name}`);
  };
  const openTerminal = (place: string): void =>
    navigate(`${href('terminal')}${joint(href('terminal'))}open=${encodeURIComponent(place)}`);
  const dialog = asked && (
    <Suspense fallback={<Waiting what={t.common.loading} />}>
      {asked.action === 'debug' ? (
        <DebugDialog
          clusterId={clusterId}
          namespace={asked.targets[0]!.namespace}
          name={asked.targets[0]!.name}
          onMade={(container) =>
            openTerminal(`attach/${asked.targets[0]!.namespace}/${asked.targets[0]!.name}/${container}`)
          }
          onClose={() => setAsked(undefined)}
        />
      ) : (
        <ActionDialog
          action={asked.action}
          clusterId={clusterId}
          resource={resource}
          targets={asked.targets}
          onClose={() => setAsked(undefined)}
          onDone={() => onDone?.(asked.action)}
        />
      )}
    </Suspense>
  );
  return { choose, dialog };
}

const joint = (href: string): string => (href.includes('?') ? '&' : '?');
