import { useState, type FormEvent } from 'react';
import { toFailure, type Failure } from '../../../../api/failure.js';
import { useCluster } from '../../../../app/cluster-context.js';
import { say } from '../../../../app/shell/toasts.js';
import { FIELD_MANAGER, MERGE_PATCH, write } from '../../../../kube/client.js';
import type { KubeObject } from '../../../../kube/object.js';
import { pathOf, type Resource } from '../../../../kube/resource.js';
import { Button } from '../../../../parts/Button.js';
import { formatBytes } from '../../../../parts/format.js';
import { ErrorNotice } from '../../../../parts/Notice.js';
import { visible, visibleLines } from '../../../../parts/text.js';
import { t } from '../../../../texts/texts.js';
import { dataOf, dataPatch, isEditable, isHidden, type DataEntry } from './data.js';

interface DataProps {
  readonly object: KubeObject;
  readonly resource: Resource;
  readonly isReadOnly: boolean;
}

/** What a ConfigMap or a Secret holds, key by key, decoded; nothing for other kinds. */
export default function Data({ object, resource, isReadOnly }: DataProps) {
  const entries = dataOf(object);
  if (entries.length === 0) return null;
  return (
    <section className="panel data">
      <h2>{t.objects.data}</h2>
      <ul>
        {entries.map((entry) => (
          <Entry
            key={entry.key}
            entry={entry}
            object={object}
            resource={resource}
            isReadOnly={isReadOnly || !isEditable(object)}
          />
        ))}
      </ul>
    </section>
  );
}

function Entry({
  entry: { key, text, bytes },
  object,
  resource,
  isReadOnly,
}: DataProps & { readonly entry: DataEntry }) {
  const [isShown, setShown] = useState(!isHidden(object));
  const [isEditing, setEditing] = useState(false);
  return (
    <li>
      <header>
        <code>{visible(key)}</code> <span className="quiet">{formatBytes(bytes)}</span>
        <span className="space" />
        {text !== undefined && isHidden(object) && (
          <Button
            aria-label={`${isShown ? t.objects.hide : t.objects.reveal} ${visible(key)}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t.objects.hide : t.objects.reveal}
          </Button>
        )}
        {text !== undefined && !isReadOnly && !isEditing && (
          <Button aria-label={`${t.objects.edit} ${visible(key)}`} onClick={() => setEditing(true)}>
            {t.objects.edit}
          </Button>
        )}
      </header>
      {isEditing && text !== undefined ? (
        <EntryForm name={key} text={text} object={object} resource={resource} onClose={() => setEditing(false)} />
      ) : (
        <pre tabIndex={0} aria-label={visible(key)}>
          {text === undefined ? t.objects.binary : isShown ? visibleLines(text) : '••••••••'}
        </pre>
      )}
    </li>
  );
}

interface EntryFormProps {
  readonly name: string;
  readonly text: string;
  readonly object: KubeObject;
  readonly resource: Resource;
  onClose(): void;
}

/** The text of one key, as it is meant; a Secret's is encoded when it is written. */
function EntryForm({ name, text, object, resource, onClose }: EntryFormProps) {
  const { clusterId } = useCluster();
  const [draft, setDraft] = useState(text);
  const [failure, setFailure] = useState<Failure>();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const path = pathOf(resource, object.metadata.namespace ?? '', object.metadata.name);
    try {
      await write({ clusterId }, 'PATCH', `${path}?fieldManager=${FIELD_MANAGER}`, {
        body: dataPatch(object, name, draft),
        type: MERGE_PATCH,
      });
      say(t.objects.saved(visible(name)));
      onClose();
    } catch (error) {
      setFailure(toFailure(error));
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <textarea
        aria-label={visible(name)}
        rows={Math.min(16, draft.split('\n').length + 1)}
        spellCheck={false}
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <ErrorNotice failure={failure} />
      <footer className="dialog-foot">
        <Button onClick={onClose}>{t.common.cancel}</Button>
        <Button type="submit" tone="main" disabled={draft === text}>
          {t.objects.save}
        </Button>
      </footer>
    </form>
  );
}
