import { Suspense, useState } from 'react';
import { hasToken } from '../../api/credentials.js';
import { useSubscription } from '../../api/graphql.js';
import { LAB_LIVE, type LabView } from '../../api/labs.generated.js';
import { mayWrite, session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { useCluster } from '../../app/cluster-context.js';
import { lazyPart } from '../../app/routing/load-patiently.js';
import { useUrlState } from '../../app/routing/router.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { shownStep } from './shown-step.js';
import { Step } from './Step.js';
import './lab.css';

const Session = lazyPart(() => import('../terminal/Session.js'), true);

/** A learner's lab: its steps with what they ask for, live, beside a terminal of the cluster. */
export default function Lab() {
  const { clusterId, at } = useCluster();
  const [lab, setLab] = useState<LabView>();
  const [chosen, choose] = useUrlState('step');
  // A page around, or a teacher, that only looks on; the scope of its token says the same to the service.
  const [looking] = useUrlState('look');
  const [typing, setTyping] = useState<{ readonly text: string; readonly turn: number }>();
  const mayAct = mayWrite(useStore(session)) || hasToken();
  const isWriter = mayAct && looking === '' && at === '';
  const failure = useSubscription(
    LAB_LIVE,
    () => ({ clusterId }),
    ({ labLive }) => setLab(labLive),
    { key: clusterId },
  );
  if (failure?.status === 404) return <EmptyState icon="labs" title={t.lab.none} />;
  if (!lab) return failure ? <ErrorNotice failure={failure} /> : <Waiting what={t.lab.waiting} />;
  const shown = shownStep(lab, chosen);
  return (
    <div className="lab">
      <section className="lab-text" aria-label={t.views.lab}>
        <header>
          <h1>{visible(lab.title)}</h1>
          <p className="quiet" role="status">
            {t.lab.progress(lab.steps.filter(({ done }) => done).length, lab.steps.length)}
            {lab.points > 0 && ` · ${t.lab.points(lab.score, lab.points)}`}
          </p>
        </header>
        <ErrorNotice failure={failure} />
        <ol className="lab-steps">
          {lab.steps.map(({ name, title, done }, i) => (
            <li key={name}>
              <button
                type="button"
                aria-current={i === shown ? 'step' : undefined}
                className={done ? 'done' : ''}
                onClick={() => choose(name)}
              >
                <span aria-hidden="true">{done ? '✓' : i + 1}</span> {visible(title)}
                {done && <span className="unseen">{t.lab.done}</span>}
              </button>
            </li>
          ))}
        </ol>
        <Step
          key={lab.steps[shown]!.name}
          lab={lab}
          index={shown}
          clusterId={clusterId}
          isWriter={isWriter}
          onType={(text) => setTyping((last) => ({ text, turn: (last?.turn ?? 0) + 1 }))}
          onChoose={choose}
        />
      </section>
      <section className="lab-terminal" aria-label={t.lab.terminal(visible(lab.node))}>
        {isWriter ? (
          <Suspense fallback={<Waiting what={t.common.loading} />}>
            <Session
              clusterId={clusterId}
              place={{ on: 'node', node: lab.node }}
              isShown
              {...(typing ? { typing } : {})}
            />
          </Suspense>
        ) : (
          <EmptyState icon="terminal" title={at === '' ? t.lab.readOnly : t.terminal.past} />
        )}
      </section>
    </div>
  );
}
