import { useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { Button } from '../../parts/Button.js';
import { Dialog } from '../../parts/Dialog.js';
import { Field } from '../../parts/Field.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { t } from '../../texts/texts.js';
import { takeLab } from './take.js';

/** Takes a lab's file; the service prepares its cluster before it answers. */
export function NewLabDialog({ onClose, onMade }: { onClose(): void; onMade(): void }) {
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await takeLab(text);
      onMade();
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.labs.create} description={t.labs.createHint} isOpen onClose={onClose} width="wide">
      <form className="form" onSubmit={(event) => void submit(event)}>
        <Field label={t.labs.file}>
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".yaml,.yml,.json"
              onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
            />
          )}
        </Field>
        <Field label={t.labs.text}>
          {(control) => (
            <textarea
              {...control}
              className="lab-file"
              rows={14}
              spellCheck={false}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <ErrorNotice failure={failure} />
        <footer className="dialog-foot">
          {isBusy && <span role="status">{t.labs.preparing}</span>}
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" tone="main" disabled={isBusy || text.trim() === ''}>
            {t.labs.take}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
