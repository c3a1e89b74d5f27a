import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { read, write } from '../../../kube/client.js';
import { listAt, textAt } from '../../../kube/object.js';
import { pathOf } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { Dialog } from '../../../parts/Dialog.js';
import { Field } from '../../../parts/Field.js';
import { ErrorNotice } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { debuggerName, debugWrite } from './debug-container.js';

const IMAGE = 'busybox:1.36';

interface DebugDialogProps {
  readonly clusterId: string;
  readonly namespace: string;
  readonly name: string;
  /** It is asked for: one can attach to it. */
  onMade(container: string): void;
  onClose(): void;
}

/** Asks for an ephemeral container beside a pod's own. */
export default function DebugDialog({ clusterId, namespace, name, onMade, onClose }: DebugDialogProps) {
  const [image, setImage] = useState(IMAGE);
  const [target, setTarget] = useState('');
  const [containers, setContainers] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const path = pathOf({ apiVersion: 'v1', resource: 'pods', namespaced: true }, namespace, name);
    read({ clusterId }, path, stop.signal).then(
      (pod) => {
        const names = listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'));
        setContainers(names);
        setTarget(names[0] ?? '');
      },
      (error: unknown) => stop.signal.aborted || setFailure(toFailure(error)),
    );
    return () => stop.abort();
  }, [clusterId, namespace, name]);
  const make = async (): Promise<void> => {
    setFailure(undefined);
    setBusy(true);
    try {
      const container = debuggerName(Math.random);
      const { method, path, body, type } = debugWrite(
        { namespace, name },
        { name: container, image: image.trim(), target },
      );
      await write({ clusterId }, method, path, { body, ...(type ? { type } : {}) });
      onClose();
      onMade(container);
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.objects.debug.title(visible(name))} description={t.objects.debug.hint} isOpen onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy && image.trim() !== '') void make();
        }}
      >
        <Field label={t.objects.debug.image} hint={t.objects.debug.imageHint}>
          {(control) => (
            <input {...control} value={image} spellCheck={false} onChange={(event) => setImage(event.target.value)} />
          )}
        </Field>
        <Field label={t.objects.debug.target} hint={t.objects.debug.targetHint}>
          {(control) => (
            <select {...control} value={target} onChange={(event) => setTarget(event.target.value)}>
              <option value="">{t.objects.debug.noTarget}</option>
              {containers.map((one) => (
                <option key={one} value={one}>
                  {visible(one)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ErrorNotice failure={failure} />
        <footer className="dialog-actions">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" tone="main" disabled={isBusy || image.trim() === ''}>
            {t.objects.debug.make}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
