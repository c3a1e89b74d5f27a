import { useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { useQuery } from '../../api/graphql.js';
import { LIST_LABS } from '../../api/labs.generated.js';
import { clusterHref } from '../../app/routing/route.js';
import { navigate } from '../../app/routing/router.js';
import { say } from '../../app/shell/toasts.js';
import { Button } from '../../parts/Button.js';
import { Dialog } from '../../parts/Dialog.js';
import { Field } from '../../parts/Field.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { StartForm } from '../labs/StartDialog.js';
import { createClusters } from './actions.js';
import { EMPTY_DRAFT, findFaults, proposeName, toBatch, type Draft } from './draft.js';

interface CreateProps {
  readonly taken: ReadonlySet<string>;
  onClose(): void;
}

/** From a template, or from one of the tenant's labs. */
export function CreateDialog({ taken, onClose }: CreateProps) {
  const [from, setFrom] = useState('');
  // Without labs, or without an answer, there is the template.
  const labs = useQuery(LIST_LABS, {}).data?.labs ?? [];
  const lab = labs.find(({ name }) => name === from);
  return (
    <Dialog title={t.create.title} isOpen onClose={onClose} width="wide">
      {labs.length > 0 && (
        <Field label={t.create.from} hint={t.create.hints.from}>
          {(control) => (
            <select {...control} value={from} onChange={(event) => setFrom(event.target.value)}>
              <option value="">{t.create.template}</option>
              {labs.map(({ name, title }) => (
                <option key={name} value={name}>
                  {t.create.lab(visible(title))}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {lab ? <StartForm key={lab.name} lab={lab} onClose={onClose} /> : <CreateForm taken={taken} onClose={onClose} />}
    </Dialog>
  );
}

/** One cluster, or many of a kind. One that is made alone is shown. */
function CreateForm({ taken, onClose }: CreateProps) {
  const [draft, setDraft] = useState<Draft>(() => ({ ...EMPTY_DRAFT, name: proposeName(taken, Math.random()) }));
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const faults = findFaults(draft);
  const isWrong = Object.keys(faults).length > 0;
  const isRareWrong = Boolean(faults.count ?? faults.labels ?? faults.ttl);
  const change = (part: Partial<Draft>): void => setDraft((last) => ({ ...last, ...part }));
  const textField = (key: 'name' | 'count' | 'nodes' | 'version' | 'labels' | 'ttl', props: object = {}) => (
    <Field label={t.create[key]} hint={t.create.hints[key]} error={faults[key] && t.create.faults[faults[key]]}>
      {(control) => (
        <input {...control} {...props} value={draft[key]} onChange={(e) => change({ [key]: e.target.value })} />
      )}
    </Field>
  );
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isWrong) return;
    setBusy(true);
    try {
      const { items } = await createClusters(toBatch(draft));
      onClose();
      if (items.length === 1) navigate(clusterHref(items[0]!.id));
      else say(t.clusters.created(items.length));
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)}>
      <div className="form-grid">
        {textField('name', { autoFocus: true, required: true, spellCheck: false })}
        {textField('nodes', { inputMode: 'numeric' })}
        <Field label={t.create.speed} hint={t.create.hints.speed}>
          {(control) => (
            <select
              {...control}
              value={draft.speed}
              onChange={(e) => change({ speed: e.target.value as Draft['speed'] })}
            >
              <option value="realistic">{t.create.speeds.realistic}</option>
              <option value="instant">{t.create.speeds.instant}</option>
            </select>
          )}
        </Field>
      </div>
      <details className="form-more" open={isRareWrong || undefined}>
        <summary>{t.create.more}</summary>
        <div className="form-grid">
          {textField('count', { inputMode: 'numeric' })}
          {textField('version', { spellCheck: false })}
          <Field label={t.create.network} hint={t.create.hints.network}>
            {(control) => (
              <select
                {...control}
                value={draft.isDualStack ? 'dual' : 'IPv4'}
                onChange={(e) => change({ isDualStack: e.target.value === 'dual' })}
              >
                <option value="IPv4">{t.create.networks.IPv4}</option>
                <option value="dual">{t.create.networks.dual}</option>
              </select>
            )}
          </Field>
          {textField('labels', { spellCheck: false })}
          {textField('ttl', { spellCheck: false })}
        </div>
      </details>
      <ErrorNotice failure={failure} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" tone="main" disabled={isBusy || isWrong}>
          {t.create.submit(Number(draft.count) || 1)}
        </Button>
      </footer>
    </form>
  );
}
