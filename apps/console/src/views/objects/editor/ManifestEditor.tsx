import { Suspense, useState } from 'react';
import { say } from '../../../app/shell/toasts.js';
import { toFailure, type Failure } from '../../../api/failure.js';
import type { Resource } from '../../../kube/resource.js';
import { lazyPart } from '../../../app/routing/load-patiently.js';
import { Button } from '../../../parts/Button.js';
import { download } from '../../../parts/download.js';
import { ErrorNotice, Waiting } from '../../../parts/Notice.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { applyObject, type Applied } from './apply.js';
import { conflictsOf, objectsOf } from './conflicts.js';
import { YamlEditor } from './YamlEditor.js';

const DiffView = lazyPart(() => import('./DiffView.js'));

interface ManifestEditorProps {
  readonly clusterId: string;
  readonly resources: readonly Resource[];
  readonly namespace: string;
  readonly initial: string;
  readonly isReadOnly: boolean;
  /** What its text is saved as; one that is only begun is not. */
  readonly fileName?: string;
  onApplied?(): void;
}

/** Text of one or several objects: what the server would make of it, and applying it. */
export function ManifestEditor({
  clusterId,
  resources,
  namespace,
  initial,
  isReadOnly,
  fileName,
  onApplied,
}: ManifestEditorProps) {
  const [text, setText] = useState(initial);
  const [base, setBase] = useState(initial);
  const [isUpdate, setUpdate] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [preview, setPreview] = useState<readonly Applied[]>();
  const [failure, setFailure] = useState<Failure>();
  const isDirty = text !== base;
  // What is edited stays, what is only looked at follows the cluster.
  if (initial !== base && !isDirty) {
    setText(initial);
    setBase(initial);
  }
  const run = async (isDryRun: boolean, isForced = false): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const done = await applyAll(isDryRun, isForced);
      if (isDryRun) return setPreview(done);
      setPreview(undefined);
      setBase(text);
      say(t.objects.applied(done.map(({ name }) => name).join(', ')));
      onApplied?.();
    } catch (error) {
      const why = toFailure(error);
      setFailure(why);
      // Who looks at what would be sees it beside whose fields it would take.
      const isConflict = conflictsOf(why.details).length > 0;
      if (isDryRun && isConflict) await applyAll(true, true).then(setPreview, (e: unknown) => setFailure(toFailure(e)));
    } finally {
      setBusy(false);
    }
  };
  const applyAll = async (isDryRun: boolean, isForced: boolean): Promise<Applied[]> => {
    const done: Applied[] = [];
    for (const object of objectsOf(text))
      done.push(await applyObject({ clusterId }, resources, object, { namespace, isUpdate, isForced, isDryRun }));
    return done;
  };
  const conflicts = conflictsOf(failure?.details);
  return (
    <div className="manifest">
      <div className="manifest-bar">
        <Button disabled={isReadOnly || isBusy} onClick={() => void run(true)}>
          {t.objects.dryRun}
        </Button>
        <Button tone="main" disabled={isReadOnly || isBusy} onClick={() => void run(false)}>
          {t.objects.apply}
        </Button>
        <label>
          <input type="checkbox" checked={isUpdate} onChange={(event) => setUpdate(event.target.checked)} />
          {t.objects.update}
        </label>
        {fileName && (
          <>
            <span className="space" />
            {/* Only pages of a secure origin may write there. */}
            {navigator.clipboard && (
              <Button
                icon="copy"
                onClick={() => void navigator.clipboard.writeText(text).then(() => say(t.objects.copied))}
              >
                {t.objects.copy}
              </Button>
            )}
            <Button icon="download" onClick={() => download(fileName, text)}>
              {t.objects.download}
            </Button>
          </>
        )}
        {isDirty && initial !== base && (
          <span role="status" className="manifest-stale">
            {t.objects.stale}
            <Button
              onClick={() => {
                setText(initial);
                setBase(initial);
              }}
            >
              {t.objects.reload}
            </Button>
          </span>
        )}
      </div>
      {conflicts.length > 0 ? (
        <div className="notice bad" role="alert">
          <div>
            <p>{t.objects.conflict}</p>
            <ul>
              {conflicts.map(({ manager, field }) => (
                <li key={manager + field}>
                  <code>{visible(field)}</code> {t.objects.ownedBy(visible(manager))}
                </li>
              ))}
            </ul>
          </div>
          <Button tone="bad" disabled={isBusy} onClick={() => void run(false, true)}>
            {t.objects.force}
          </Button>
        </div>
      ) : (
        <ErrorNotice failure={failure} />
      )}
      {preview ? (
        <div className="previews">
          <Button icon="close" onClick={() => setPreview(undefined)}>
            {t.objects.closeDiff}
          </Button>
          {preview.map(({ name, before, after }) => (
            <section key={name}>
              <h2>
                {visible(name)} {before === '' ? t.objects.isNew : before === after ? t.objects.isSame : ''}
              </h2>
              <Suspense fallback={<Waiting what={t.common.loading} />}>
                <DiffView before={before} after={after} label={visible(name)} />
              </Suspense>
            </section>
          ))}
        </div>
      ) : (
        <YamlEditor
          clusterId={clusterId}
          label={t.objects.yaml}
          text={text}
          isReadOnly={isReadOnly}
          onChange={setText}
        />
      )}
    </div>
  );
}
