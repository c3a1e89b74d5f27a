import { useRef, useState } from 'react';
import { toFailure } from '../../api/failure.js';
import { useQuery, useSubscription } from '../../api/graphql.js';
import { LEARNERS_LIVE, LIST_LABS, type Learner } from '../../api/labs.generated.js';
import { rest } from '../../api/rest.js';
import { mayWrite, session } from '../../api/session.js';
import { useStore } from '../../api/store.js';
import { clusterHref } from '../../app/routing/route.js';
import { Link, useUrlState } from '../../app/routing/router.js';
import { say } from '../../app/shell/toasts.js';
import { Age } from '../../parts/Age.js';
import { Button } from '../../parts/Button.js';
import { Field } from '../../parts/Field.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { afterLearners, arrange, isFinished, ORDERS, type LearnerMap, type Order } from './learners.js';
import { StartDialog } from './StartDialog.js';

/** All learners of a lab, live: where each stands, and the ways to look at it, to help, and to see what it did. */
export function Wall({ lab }: { readonly lab: string }) {
  const isWriter = mayWrite(useStore(session));
  const [learners, setLearners] = useState<LearnerMap>();
  const [order, setOrder] = useUrlState('sort', 'name');
  const [text, setText] = useUrlState('q');
  const [isStarting, setStarting] = useState(false);
  const { data } = useQuery(LIST_LABS, {});
  // The first event of each subscription has all, also after a lost connection.
  const isFirst = useRef(true);
  const failure = useSubscription(
    LEARNERS_LIVE,
    () => {
      isFirst.current = true;
      return { lab };
    },
    ({ learnersLive }) => {
      const areAll = isFirst.current;
      isFirst.current = false;
      setLearners((known = new Map()) => afterLearners(known, learnersLive, areAll));
    },
    { key: lab },
  );
  if (failure?.status === 404) return <EmptyState icon="labs" title={t.labs.unknown} />;
  if (!learners) return failure ? <ErrorNotice failure={failure} /> : <Waiting what={t.labs.waitingForLearners} />;
  const shown = arrange(learners, ORDERS.find((one) => one === order) ?? 'name', text);
  const title = data?.labs.find(({ name }) => name === lab)?.title ?? lab;
  return (
    <section className="page">
      <header className="page-head">
        <h1>{visible(title)}</h1>
        <span className="count" role="status">
          {t.labs.learners(learners.size)} · {t.labs.finished([...learners.values()].filter(isFinished).length)}
        </span>
        <span className="space" />
        {isWriter && (
          <Button tone="main" icon="plus" onClick={() => setStarting(true)}>
            {t.labs.start}
          </Button>
        )}
      </header>
      <ErrorNotice failure={failure} />
      <div className="filters">
        <Field label={t.labs.find}>
          {(control) => <input {...control} type="search" value={text} onChange={(e) => setText(e.target.value)} />}
        </Field>
        <Field label={t.labs.order}>
          {(control) => (
            <select {...control} value={order} onChange={(e) => setOrder(e.target.value)}>
              {ORDERS.map((one: Order) => (
                <option key={one} value={one}>
                  {t.labs.orders[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {learners.size === 0 && (
        <EmptyState icon="user" title={t.labs.noLearner}>
          <p>{t.labs.noLearnerHint}</p>
        </EmptyState>
      )}
      <ul className="wall">
        {shown.map((learner) => (
          <Card key={learner.clusterId} learner={learner} lab={lab} isWriter={isWriter} />
        ))}
      </ul>
      {isStarting && <StartDialog lab={{ name: lab, title }} onClose={() => setStarting(false)} />}
    </section>
  );
}

interface CardProps {
  readonly learner: Learner;
  readonly lab: string;
  readonly isWriter: boolean;
}

function Card({ learner, lab, isWriter }: CardProps) {
  const { name, clusterId, step, steps, done, score, points, checks, lastActivity, lastCommand, state } = learner;
  return (
    <li className={isFinished(learner) ? 'finished' : ''}>
      <header>
        <h2>{visible(name)}</h2>
        <span className="quiet">
          <Age at={lastActivity} />
        </span>
        {state !== 'running' && <span className={`state ${state}`}>{visible(state)}</span>}
      </header>
      <p>
        {isFinished(learner) ? t.labs.atEnd : t.labs.step(step, steps)}
        {points > 0 && ` · ${t.lab.points(score, points)}`}
      </p>
      <progress max={steps} value={done.length} aria-label={t.lab.progress(done.length, steps)} />
      {checks.length > 0 && (
        <ul className="wall-checks" aria-label={t.lab.checks}>
          {checks.map((check) => (
            <li key={check.name} className={check.phase === 'Passed' ? 'passed' : ''} title={visible(check.message)}>
              <span aria-hidden="true">{check.phase === 'Passed' ? '✓' : '·'}</span> {visible(check.name)}
              <span className="unseen">: {visible(check.phase)}</span>
            </li>
          ))}
        </ul>
      )}
      {lastCommand && <code>{visible(lastCommand)}</code>}
      <footer>
        {isWriter && (
          <Button onClick={() => void look(lab, learner)} title={t.labs.lookHint}>
            {t.labs.look}
          </Button>
        )}
        <Link href={clusterHref(clusterId, 'lab')} title={t.labs.helpHint}>
          {t.labs.help}
        </Link>
        <Link href={clusterHref(clusterId, 'picture')}>{t.views.picture}</Link>
        <Link href={clusterHref(clusterId, 'session')}>{t.views.session}</Link>
      </footer>
    </li>
  );
}

/** Opens the learner's lab by a token that reads and no more: whoever looks cannot come in the way. */
async function look(lab: string, { name, clusterId }: Learner): Promise<void> {
  // At once, while it is still the click's doing: a window that opens later is blocked.
  const opened = window.open('about:blank', '_blank');
  try {
    const path = `/v1/labs/${encodeURIComponent(lab)}/learners/${encodeURIComponent(name)}/tokens`;
    const { token } = await rest<{ token: string }>('POST', path, { scope: 'read', ttl: '1h' });
    const url = `/embed/lab?cluster=${encodeURIComponent(clusterId)}&look=1#token=${encodeURIComponent(token)}`;
    if (opened) opened.location.replace(url);
    else say(t.labs.blocked, 'bad');
  } catch (error) {
    opened?.close();
    say(toFailure(error).message, 'bad');
  }
}
