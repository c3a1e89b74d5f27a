import { useCallback, useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request, useSubscription } from '../../api/graphql.js';
import { READ_SESSION, REPLAY, type SessionAct } from '../../api/labs.generated.js';
import { useCluster } from '../../app/cluster-context.js';
import { Link, useClusterHref, useMoment, useUrlState } from '../../app/routing/router.js';
import { Button } from '../../parts/Button.js';
import { EmptyState, ErrorNotice, Waiting } from '../../parts/Notice.js';
import { visible, visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { actAt, standAt } from './acts.js';
import './session.css';

const SPEEDS = ['1', '5', '20', '100'];
const MAX_ACTS = 5_000;

/** All acts of a cluster, page by page. */
async function readActs(clusterId: string, signal: AbortSignal): Promise<SessionAct[]> {
  const acts: SessionAct[] = [];
  for (let after: string | undefined; acts.length < MAX_ACTS;) {
    const { session } = await request(READ_SESSION, { clusterId, ...(after ? { after } : {}) }, signal);
    acts.push(...session.items);
    if (!session.nextCursor) break;
    after = session.nextCursor;
  }
  return acts;
}

/** What was done in a learner's cluster, act by act. The moment of the page goes with the act that is looked at. */
export default function SessionView() {
  const { clusterId } = useCluster();
  const href = useClusterHref(clusterId);
  const [at, setAt] = useMoment();
  const [speed, setSpeed] = useUrlState('speed', '5');
  const [isPlaying, setPlaying] = useState(false);
  const { acts, failure, reload } = useActs(clusterId);
  const shown = acts ? actAt(acts, at) : -1;
  // Where it begins to play: what is shown later is of the playing itself.
  const from = useRef(0);
  const playing = useSubscription(
    REPLAY,
    () => ({ clusterId, speed: Number(speed), from: from.current }),
    ({ replay }) => {
      from.current = replay.revision;
      setAt(String(replay.revision));
      if (replay.revision >= (acts?.at(-1)?.revision ?? 0)) setPlaying(false);
    },
    { key: `${clusterId} ${speed}`, skip: !isPlaying },
  );
  if (failure?.status === 404) return <EmptyState icon="time" title={t.lab.none} />;
  if (!acts) return failure ? <ErrorNotice failure={failure} /> : <Waiting what={t.session.waiting} />;
  const play = (): void => {
    from.current = shown < 0 || shown === acts.length - 1 ? 0 : acts[shown]!.revision;
    setPlaying(true);
  };
  const stand = standAt(acts, shown < 0 ? acts.length - 1 : shown);
  return (
    <section className="page session-view">
      <header className="page-head">
        <h1>{t.views.session}</h1>
        <span className="count">{t.session.count(acts.length)}</span>
        <span className="space" />
        <Button onClick={reload}>{t.session.reload}</Button>
      </header>
      <ErrorNotice failure={playing} />
      <div className="session-bar">
        {isPlaying ? (
          <Button icon="pause" onClick={() => setPlaying(false)}>
            {t.session.stop}
          </Button>
        ) : (
          <Button icon="play" tone="main" disabled={acts.length === 0} onClick={play}>
            {t.session.play}
          </Button>
        )}
        <label>
          {t.session.speed}{' '}
          <select aria-label={t.session.speed} value={speed} onChange={(e) => setSpeed(e.target.value)}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {t.session.times(one)}
              </option>
            ))}
          </select>
        </label>
        <span role="status">{t.session.stand(stand.done, stand.passed)}</span>
        {at !== '' && (
          <>
            <Link href={href('objects')}>{t.session.objects}</Link>
            <Link href={href('picture')}>{t.session.picture}</Link>
          </>
        )}
      </div>
      {acts.length === 0 && <EmptyState icon="time" title={t.session.none} />}
      <ol className="session-acts">
        {acts.map((act, i) => (
          <Act
            key={`${act.revision} ${i}`}
            act={act}
            isShown={i === shown}
            onChoose={() => setAt(String(act.revision))}
          />
        ))}
      </ol>
    </section>
  );
}

function Act({ act, isShown, onChoose }: { readonly act: SessionAct; readonly isShown: boolean; onChoose(): void }) {
  const own = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isShown) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  const tone = act.type === 'check' || act.type === 'verify' ? (act.done ? 'running' : 'halted') : '';
  return (
    <li>
      <button ref={own} type="button" aria-current={isShown ? 'true' : undefined} onClick={onChoose}>
        <time dateTime={act.at}>{act.at.slice(11, 19)}</time>
        <span className={`state ${tone}`}>{t.session.types[act.type]}</span>
        <span className="session-text">
          {act.step && <b>{visible(act.step)} </b>}
          {visibleLines(act.text)}
        </span>
        {act.actor && !act.text.startsWith(act.actor) && <span className="quiet">{visible(act.actor)}</span>}
      </button>
    </li>
  );
}

function useActs(clusterId: string): { acts?: readonly SessionAct[]; failure?: Failure; reload(): void } {
  const [found, setFound] = useState<{ acts?: readonly SessionAct[]; failure?: Failure }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    readActs(clusterId, stop.signal).then(
      (acts) => setFound({ acts }),
      (error: unknown) => stop.signal.aborted || setFound((last) => ({ ...last, failure: toFailure(error) })),
    );
    return () => stop.abort();
  }, [clusterId, turn]);
  const reload = useCallback(() => setTurn((last) => last + 1), []);
  return { ...found, reload };
}
