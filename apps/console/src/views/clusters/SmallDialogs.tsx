import { useState, type FormEvent, type ReactNode } from 'react';
import type { Cluster } from '../../api/clusters.generated.js';
import { toFailure, type Failure } from '../../api/failure.js';
import { clusterHref } from '../../app/routing/route.js';
import { navigate } from '../../app/routing/router.js';
import { say } from '../../app/shell/toasts.js';
import { Button } from '../../parts/Button.js';
import { Dialog } from '../../parts/Dialog.js';
import { Field } from '../../parts/Field.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { deleteCluster, doToEach, extendCluster, forkCluster } from './actions.js';

interface AskProps {
  readonly title: string;
  readonly description?: string;
  readonly submit: string;
  readonly tone?: 'main' | 'bad';
  act(): Promise<void>;
  onClose(): void;
  readonly children?: ReactNode;
}

/** A small form: what it does, and what came in its way. */
function Ask({ title, description, submit, tone = 'main', act, onClose, children }: AskProps) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const run = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} isOpen onClose={onClose} {...(description ? { description } : {})}>
      <form className="form" onSubmit={(event) => void run(event)}>
        {children}
        <ErrorNotice failure={failure} />
        <footer className="dialog-foot">
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" tone={tone} disabled={isBusy}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface OfClusters {
  readonly clusters: readonly Cluster[];
  onClose(): void;
}

const namesOf = (clusters: readonly Cluster[]): string => {
  const names = clusters.slice(0, 5).map(({ name }) => visible(name));
  return clusters.length > names.length
    ? t.clusters.andMore(names.join(', '), clusters.length - names.length)
    : names.join(', ');
};

export const DeleteDialog = ({ clusters, onClose }: OfClusters) => (
  <Ask
    title={t.clusters.deleteTitle(clusters.length)}
    description={t.clusters.deleteWarning(namesOf(clusters))}
    submit={t.clusters.delete}
    tone="bad"
    act={() =>
      doToEach(
        clusters.map(({ id }) => id),
        deleteCluster,
        t.clusters.deleted,
      )
    }
    onClose={onClose}
  />
);

export function ExtendDialog({ clusters, onClose }: OfClusters) {
  const [ttl, setTtl] = useState('2h');
  const act = (): Promise<void> =>
    doToEach(
      clusters.map(({ id }) => id),
      (id) => extendCluster(id, ttl.trim() || null),
      t.clusters.extended,
    );
  return (
    <Ask title={t.clusters.extendTitle(namesOf(clusters))} submit={t.clusters.extend} act={act} onClose={onClose}>
      <Field label={t.create.ttl} hint={t.clusters.extendHint}>
        {(control) => <input {...control} value={ttl} onChange={(e) => setTtl(e.target.value)} autoFocus />}
      </Field>
    </Ask>
  );
}

export function ForkDialog({
  cluster,
  at = '',
  onClose,
}: {
  readonly cluster: Cluster;
  readonly at?: string;
  onClose(): void;
}) {
  const [name, setName] = useState(`${cluster.name}-fork`.slice(0, 63));
  const [moment, setMoment] = useState(at);
  const [count, setCount] = useState('1');
  const act = async (): Promise<void> => {
    const { items } = await forkCluster(cluster.id, {
      name,
      count: Number(count),
      ...(moment ? { at: momentOf(moment) } : {}),
    });
    if (items.length === 1) navigate(clusterHref(items[0]!.id));
    else say(t.clusters.created(items.length));
  };
  return (
    <Ask title={t.clusters.forkTitle(visible(cluster.name))} submit={t.clusters.fork} act={act} onClose={onClose}>
      <Field label={t.create.name}>
        {(control) => <input {...control} value={name} onChange={(e) => setName(e.target.value)} autoFocus />}
      </Field>
      <Field label={t.clusters.moment} hint={t.clusters.momentHint}>
        {(control) => <input {...control} value={moment} onChange={(e) => setMoment(e.target.value)} />}
      </Field>
      <Field label={t.create.count} hint={t.create.hints.count}>
        {(control) => (
          <input {...control} value={count} inputMode="numeric" onChange={(e) => setCount(e.target.value)} />
        )}
      </Field>
    </Ask>
  );
}

/** A revision is a number; a time or how long ago is text. */
const momentOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
