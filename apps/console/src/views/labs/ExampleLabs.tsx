import { useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import type { LabSummary } from '../../api/labs.generated.js';
import { Button } from '../../parts/Button.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { EXAMPLE_LABS, type ExampleLab } from './examples.js';
import { takeLab } from './take.js';

/** Labs that come with the service: a click takes one, and tells which it was. */
export default function ExampleLabs({ onTaken }: { onTaken(lab: Pick<LabSummary, 'name' | 'title'>): void }) {
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<Failure>();
  const take = async ({ name, title, text }: ExampleLab): Promise<void> => {
    setBusy(name);
    setFailure(undefined);
    try {
      await takeLab(text);
      onTaken({ name, title });
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <section className="example-labs" aria-label={t.labs.examples}>
      <ErrorNotice failure={failure} />
      <p role="status" className="quiet">
        {busy === undefined ? t.labs.examples : t.labs.preparing}
      </p>
      <ul>
        {EXAMPLE_LABS.map((lab) => (
          <li key={lab.name}>
            <Button disabled={busy !== undefined} onClick={() => void take(lab)}>
              {visible(lab.title)}
            </Button>
            <span className="quiet">{visible(lab.summary)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
