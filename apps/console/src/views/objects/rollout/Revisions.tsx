import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../../api/failure.js';
import { say } from '../../../app/shell/toasts.js';
import { read, write } from '../../../kube/client.js';
import { textAt, type KubeObject } from '../../../kube/object.js';
import type { Resource } from '../../../kube/resource.js';
import { Button } from '../../../parts/Button.js';
import { Dialog } from '../../../parts/Dialog.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { timeText } from '../details/facts.js';
import { keepersPath, revisionsOf, rollbackWrite, type Revision } from './revisions.js';
import { changesOf, type FieldChange } from './template-changes.js';
import './rollout.css';

interface RevisionsProps {
  readonly clusterId: string;
  readonly at: string;
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly isGone: boolean;
}

/** The revisions of a workload, as `kubectl rollout history` has them, with what each has changed; and back to one. */
export default function Revisions({ clusterId, at, resource, object, isGone }: RevisionsProps) {
  const { revisions, failure } = useRevisions({ clusterId, at }, object);
  const [asked, setAsked] = useState<Revision>();
  const current = revisions?.find(({ isCurrent }) => isCurrent);
  return (
    <section className="panel revisions">
      <p className="hint">{t.objects.revisionsHint}</p>
      <ErrorNotice failure={failure} />
      {!revisions && !failure && <Waiting what={t.objects.waitingForRevisions} />}
      {revisions?.length === 0 && <p>{t.objects.noRevisions}</p>}
      <ol>
        {revisions?.map((revision, i) => {
          const { number, cause, keeper, isCurrent } = revision;
          const before = revisions[i + 1];
          return (
            <li key={number} aria-current={isCurrent || undefined}>
              <header>
                <h2>{t.objects.revision(number)}</h2>
                {isCurrent && <span className="state running">{t.objects.isCurrent}</span>}
                <span className="quiet">{visible(timeText(keeper.metadata.creationTimestamp ?? ''))}</span>
                <span className="space" />
                {!isCurrent && at === '' && !isGone && (
                  <Button onClick={() => setAsked(revision)}>{t.objects.rollBackTo(number)}</Button>
                )}
              </header>
              <p>{cause === '' ? <span className="quiet">{t.objects.noCause}</span> : visible(cause)}</p>
              {before ? (
                <Changes changes={changesOf(before.template, revision.template)} />
              ) : (
                <p className="hint">{t.objects.firstRevision(visible(imagesOf(revision)))}</p>
              )}
            </li>
          );
        })}
      </ol>
      {asked && (
        <RollbackDialog
          clusterId={clusterId}
          resource={resource}
          object={object}
          revision={asked}
          changes={changesOf(current?.template, asked.template)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}

const imagesOf = ({ template }: Revision): string =>
  ((template as { spec?: { containers?: readonly unknown[] } }).spec?.containers ?? [])
    .map((container) => textAt(container, 'image'))
    .join(', ');

const Changes = ({ changes }: { readonly changes: readonly FieldChange[] }) => (
  <ul className="revision-changes">
    {changes.map(({ path, before, after }) => (
      <li key={path}>
        <code>{visible(path)}</code>{' '}
        {before !== '' && (
          <del>
            <span className="visually-hidden">{t.objects.was} </span>
            {visible(before)}
          </del>
        )}{' '}
        {after !== '' && (
          <ins>
            <span className="visually-hidden">{t.objects.becomes} </span>
            {visible(after)}
          </ins>
        )}
      </li>
    ))}
  </ul>
);

interface RollbackDialogProps {
  readonly clusterId: string;
  readonly resource: Resource;
  readonly object: KubeObject;
  readonly revision: Revision;
  /** What it changes in the template of now. */
  readonly changes: readonly FieldChange[];
  onClose(): void;
}

function RollbackDialog({ clusterId, resource, object, revision, changes, onClose }: RollbackDialogProps) {
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setFailure(undefined);
    setBusy(true);
    try {
      const { method, path, body, type } = rollbackWrite(resource, object, revision);
      await write({ clusterId }, method, path, { body, ...(type ? { type } : {}) });
      say(t.objects.rolledBack(visible(object.metadata.name), revision.number));
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.objects.askRollBack(visible(object.metadata.name), revision.number)}
      description={t.objects.rollBackHint}
      width="wide"
      isOpen
      onClose={onClose}
    >
      <div className="revisions">
        {changes.length === 0 ? <p>{t.objects.isSameTemplate}</p> : <Changes changes={changes} />}
      </div>
      <ErrorNotice failure={failure} />
      <footer className="dialog-actions">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button tone="main" disabled={isBusy} onClick={() => void run()}>
          {t.objects.rollBackTo(revision.number)}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Read anew whenever the workload has another template, or its controller has seen it. */
function useRevisions(
  { clusterId, at }: { readonly clusterId: string; readonly at: string },
  object: KubeObject,
): { readonly revisions?: readonly Revision[]; readonly failure?: Failure } {
  const [state, setState] = useState<{ revisions?: readonly Revision[]; failure?: Failure }>({});
  const { uid, generation, annotations } = object.metadata;
  const key = [
    uid,
    generation,
    textAt(object, 'status', 'observedGeneration'),
    textAt(object, 'status', 'updateRevision'),
    annotations?.['deployment.kubernetes.io/revision'],
  ].join(' ');
  useEffect(() => {
    const stop = new AbortController();
    read<{ items?: readonly KubeObject[] }>(
      { clusterId, ...(at ? { at } : {}) },
      keepersPath(object),
      stop.signal,
    ).then(
      ({ items = [] }) => setState({ revisions: revisionsOf(object, items) }),
      (error: unknown) => stop.signal.aborted || setState((last) => ({ ...last, failure: toFailure(error) })),
    );
    return () => stop.abort();
  }, [clusterId, at, key]);
  return state;
}
