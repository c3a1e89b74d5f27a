import { useEffect, useState } from 'react';
import { hasToken } from '../../api/credentials.js';
import { toFailure, type Failure } from '../../api/failure.js';
import { mutate } from '../../api/graphql.js';
import { ENTER_STEP, VERIFY_STEP, type LabCheck, type LabView } from '../../api/labs.generated.js';
import { Button } from '../../parts/Button.js';
import { Markdown } from '../../parts/Markdown.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible, visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';

interface StepProps {
  readonly lab: LabView;
  readonly index: number;
  readonly clusterId: string;
  readonly isWriter: boolean;
  /** Types into the learner's terminal. */
  onType(text: string): void;
  onChoose(step: string): void;
}

/** What is told after something was done: the words of a script, or what went wrong with it. */
interface Told {
  readonly message?: string;
  readonly failure?: Failure;
}

/** One step: its text, its hints one by one, and what it asks for. */
export function Step({ lab, index, clusterId, isWriter, onType, onChoose }: StepProps) {
  const step = lab.steps[index]!;
  const next = lab.steps[index + 1];
  const [told, setTold] = useState<Told>({});
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    try {
      setTold({ message: await work() });
    } catch (error) {
      setTold({ failure: toFailure(error) });
    } finally {
      setBusy(false);
    }
  };
  const enter = () =>
    act(async () => {
      const { enterStep } = await mutate(ENTER_STEP, { clusterId, step: step.name });
      if (enterStep.foreground) onType(enterStep.foreground);
      return enterStep.message;
    });
  const verify = () =>
    act(async () => {
      const { done, message } = (await mutate(VERIFY_STEP, { clusterId, step: step.name })).verifyStep;
      return message || (done ? t.lab.isDone : t.lab.isNotDone);
    });
  // A learner's step begins when it is shown; a teacher who only looks begins nothing.
  const isLearner = hasToken() && isWriter;
  useEffect(() => {
    if (isLearner && !step.done) void enter();
    // Once for each step: the parent gives each a key.
  }, []);
  return (
    <article className="lab-step">
      {index === 0 && lab.intro && <Markdown text={lab.intro} />}
      <h2>{visible(step.title)}</h2>
      <Markdown text={step.text} />
      {step.hints.map((hint, i) => (
        // A step's hints are always the same.
        <details key={i}>
          <summary>{t.lab.hint(i + 1, step.hints.length)}</summary>
          <Markdown text={hint} />
        </details>
      ))}
      <Checks checks={step.checks} />
      <div className="lab-actions">
        {isWriter && !isLearner && (
          <Button icon="play" disabled={isBusy} onClick={() => void enter()} title={t.lab.beginHint}>
            {t.lab.begin}
          </Button>
        )}
        {isWriter && step.canVerify && (
          <Button tone={step.done ? 'plain' : 'main'} icon="check" disabled={isBusy} onClick={() => void verify()}>
            {t.lab.verify}
          </Button>
        )}
        {next && (
          <Button tone={step.done || !step.canVerify ? 'main' : 'plain'} onClick={() => onChoose(next.name)}>
            {t.lab.next}
          </Button>
        )}
        {isBusy && <span className="quiet">{t.lab.working}</span>}
      </div>
      <div role="status">
        {step.done && <p className="lab-done">{t.lab.isDone}</p>}
        {told.message && <pre className="lab-message">{visibleLines(told.message)}</pre>}
      </div>
      <ErrorNotice failure={told.failure} />
      {!next && lab.step > lab.steps.length && <Markdown text={lab.finish || t.lab.finished} />}
    </article>
  );
}

const TONES: Readonly<Record<string, string>> = { Passed: 'running', Failed: 'halted' };

function Checks({ checks }: { readonly checks: readonly LabCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className="lab-checks" aria-label={t.lab.checks}>
      {checks.map(({ name, phase, score, points, message }) => (
        <li key={name}>
          <span className={`state ${TONES[phase] ?? ''}`}>{visible(phase)}</span> <b>{visible(name)}</b>{' '}
          <span className="quiet">{t.lab.points(score, points)}</span>
          {message && <p>{visible(message)}</p>}
        </li>
      ))}
    </ul>
  );
}
