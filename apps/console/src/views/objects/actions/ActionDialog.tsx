import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { say } from '../../../app/shell/toasts.js';
import { read } from '../../../kube/client.js';
import { pathOf, type Resource } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { Dialog } from '../../../parts/Dialog.js';
import { Field } from '../../../parts/Field.js';
import { ErrorNotice } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import type { ActionName } from './actions.js';
import { replicasOf } from './from-object.js';
import { runAction } from './run-action.js';
import type { Target } from './use-actions.js';

/** Names that a question shows. */
const MAX_NAMES = 8;

interface ActionDialogProps {
  readonly action: ActionName;
  readonly clusterId: string;
  readonly resource: Resource;
  readonly targets: readonly Target[];
  onClose(): void;
  onDone(): void;
}

/** Asks before something is done, and tells how it goes. */
export default function ActionDialog({ action, clusterId, resource, targets, onClose, onDone }: ActionDialogProps) {
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
