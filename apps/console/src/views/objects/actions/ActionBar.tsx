import { useEffect, useState } from 'react';
import { navigate, useClusterHref } from '../../../app/routing/router.js';
import { say } from '../../../app/shell/toasts.js';
import { toFailure, type Failure } from '../../../api/failure.js';
import { read } from '../../../kube/client.js';
import type { KubeObject } from '../../../kube/object.js';
import type { Row } from '../../../kube/row.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { Dialog } from '../../../parts/Dialog.js';
import { Field } from '../../../parts/Field.js';
import { ErrorNotice } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { actionsOf, type ActionName } from './actions.js';
import { replicasOf } from './from-object.js';
import { logSources, runAction } from './run-action.js';

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
        <ActionDialog
          action={asked}
          clusterId={clusterId}
          resource={resource}
          targets={targets}
          onClose={() => setAsked(undefined)}
          onDone={() => onDone(asked)}
        />
      )}
    </div>
  );
}

const SINGLE: ReadonlySet<ActionName> = new Set(['terminal', 'started']);

const joint = (href: string): string => (href.includes('?') ? '&' : '?');
/** Names that a question shows. */
const MAX_NAMES = 8;

function ActionDialog({
  action,
  clusterId,
  resource,
  targets,
  onClose,
  onDone,
}: ActionButtonsProps & { readonly action: ActionName; onClose(): void; onDone(): void }) {
  const [replicas, setReplicas] = useState(targets.length === 1 ? '' : '1');
  const [isForced, setForced] = useState(false);
  const [progress, setProgress] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const [target] = targets;
  useEffect(() => {
    if (action !== 'scale' || targets.length !== 1 || !target) return;
    // What it wants now; who has typed sooner keeps what was typed.
    read<unknown>({ clusterId }, `${pathOf(resource, target.namespace, target.name)}/scale`).then(
      (scale) => setReplicas((typed) => typed || replicasOf(scale)),
      (error: unknown) => setFailure(toFailure(error)),
    );
  }, [action, clusterId, resource, targets.length, target]);
  const run = async (): Promise<void> => {
    setFailure(undefined);
    setProgress('');
    try {
      await runAction({ clusterId, resource, targets, replicas: Number(replicas), isForced }, action, (text) =>
        setProgress(visible(text)),
      );
      say(t.objects.done(t.objects.actions[action], targets.length));
      onDone();
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      setProgress(undefined);
    }
  };
  const count = Number(replicas);
  const isValid = action !== 'scale' || (/^\d{1,6}$/.test(replicas) && Number.isSafeInteger(count));
  return (
    <Dialog title={t.objects.ask(t.objects.actions[action], resource.kind, targets.length)} isOpen onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && progress === undefined) void run();
        }}
      >
        <ul className="targets">
          {targets.slice(0, MAX_NAMES).map(({ key, name }) => (
            <li key={key}>{visible(name)}</li>
          ))}
          {targets.length > MAX_NAMES && <li>{t.objects.andMore(targets.length - MAX_NAMES)}</li>}
        </ul>
        {action === 'scale' && (
          <Field label={t.objects.replicas}>
            {(control) => (
              <input
                {...control}
                type="number"
                min={0}
                value={replicas}
                onChange={(e) => setReplicas(e.target.value)}
              />
            )}
          </Field>
        )}
        {action === 'drain' && (
          <label>
            <input type="checkbox" checked={isForced} onChange={(event) => setForced(event.target.checked)} />
            {t.objects.drainForce}
          </label>
        )}
        <p className="hint">{t.objects.hints[action]}</p>
        <ErrorNotice failure={failure} />
        {progress !== undefined && <p role="status">{progress || t.objects.working}</p>}
        <footer className="dialog-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            type="submit"
            tone={action === 'delete' ? 'bad' : 'main'}
            disabled={!isValid || progress !== undefined}
          >
            {t.objects.actions[action]}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
