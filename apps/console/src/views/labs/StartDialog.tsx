import { useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { mutate } from '../../api/graphql.js';
import { START_LEARNERS, type LabSummary } from '../../api/labs.generated.js';
import { clusterHref } from '../../app/routing/route.js';
import { navigate } from '../../app/routing/router.js';
import { say } from '../../app/shell/toasts.js';
import { Button } from '../../parts/Button.js';
import { Dialog } from '../../parts/Dialog.js';
import { Field } from '../../parts/Field.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { EMPTY_CLASS, findClassFaults, sizeOf, toLearners, type ClassDraft } from './class-draft.js';

interface StartProps {
  readonly lab: Pick<LabSummary, 'name' | 'title'>;
  onClose(): void;
}

/** A cluster of a lab for one, or for each of a class. One that is made alone is shown. */
export const StartDialog = ({ lab, onClose }: StartProps) => (
  <Dialog title={t.labs.startTitle(visible(lab.title))} description={t.labs.startHint} isOpen onClose={onClose}>
    <StartForm lab={lab} onClose={onClose} />
  </Dialog>
);

export function StartForm({ lab, onClose }: StartProps) {
  const [draft, setDraft] = useState<ClassDraft>(EMPTY_CLASS);
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const faults = findClassFaults(draft);
  const isWrong = Object.keys(faults).length > 0;
  const size = sizeOf(draft);
  const change = (part: Partial<ClassDraft>): void => setDraft((last) => ({ ...last, ...part }));
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isWrong) return;
    setBusy(true);
    try {
      const { startLearners } = await mutate(START_LEARNERS, { lab: lab.name, ...toLearners(draft) });
      onClose();
      const [first] = startLearners;
      if (first && startLearners.length === 1) return navigate(clusterHref(first.clusterId, 'lab'));
      say(t.clusters.created(startLearners.length));
      navigate(`/labs/${encodeURIComponent(lab.name)}`);
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <Field
        label={t.labs.names}
        hint={t.labs.hints.names}
        {...(faults.names ? { error: t.labs.faults[faults.names] } : {})}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            spellCheck={false}
            value={draft.names}
            onChange={(event) => change({ names: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t.labs.howMany}
        hint={t.labs.hints.count}
        {...(faults.count ? { error: t.labs.faults[faults.count] } : {})}
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            value={draft.count}
            onChange={(event) => change({ count: event.target.value })}
          />
        )}
      </Field>
      <Field
        label={t.create.ttl}
        hint={t.create.hints.ttl}
        {...(faults.ttl ? { error: t.labs.faults[faults.ttl] } : {})}
      >
        {(control) => (
          <input {...control} value={draft.ttl} onChange={(event) => change({ ttl: event.target.value })} />
        )}
      </Field>
      <ErrorNotice failure={failure} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" tone="main" disabled={isBusy || isWrong}>
          {t.labs.submit(size)}
        </Button>
      </footer>
    </form>
  );
}
