import { useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { request, useSubscription } from '../../api/graphql.js';
import { useCluster } from '../../app/cluster-context.js';
import { ClockControls } from '../../parts/time/ClockControls.js';
import { Button } from '../../parts/Button.js';
import { ErrorNotice } from '../../parts/Notice.js';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { Lanes, type Lane } from './lanes.js';
import { FOLLOW_ACTIVITY, STEP_CLOCK, type Stepped } from './operations.generated.js';
import { PastLanes } from './PastLanes.js';
import { Strip } from './Strip.js';
import './lanes.css';

/** The words follow a few times a second. */
const TOLD_MS = 300;
const MAX_RAN = 30;

/** Watch, decide, act: what each loop of the cluster does, as it does it or one run at a time. */
export default function LanesView() {
  const { clusterId, at } = useCluster();
  const lanes = useRef(new Lanes());
  const [, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const failure = useSubscription(
    FOLLOW_ACTIVITY,
    () => ({ id: clusterId }),
    ({ activity: { reconciles, dropped } }) => {
      lanes.current.tell(reconciles, dropped, Date.now());
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        setTurn((last) => last + 1);
      }, TOLD_MS);
    },
    { key: clusterId, skip: at !== '' },
  );
  useEffect(() => () => clearTimeout(timer.current), []);
  const { all, dropped } = lanes.current;
  return (
    <div className="page lanes">
      <div className="page-head">
        <h1>{t.lanes.title}</h1>
      </div>
      <p className="quiet">{t.lanes.intro}</p>
      {at !== '' ? <PastLanes /> : <Stepping />}
      <ErrorNotice failure={failure} />
      {at === '' && all.length === 0 && (
        <>
          <p role="status">{t.lanes.waiting}</p>
          <PastLanes />
        </>
      )}
      {at === '' && all.length > 0 && <LaneTable lanes={all} />}
      {at === '' && dropped > 0 && <p className="quiet">{t.lanes.dropped(dropped)}</p>}
    </div>
  );
}

const LaneTable = ({ lanes }: { readonly lanes: readonly Lane[] }) => (
  <table className="table lanes-table">
    <thead>
      <tr>
        <th scope="col">{t.lanes.lane}</th>
        <th scope="col">{t.lanes.queue}</th>
        <th scope="col">{t.lanes.strip}</th>
        <th scope="col">{t.lanes.last}</th>
        <th scope="col">{t.lanes.total}</th>
      </tr>
    </thead>
    <tbody>
      {lanes.map((lane) => (
        <LaneRow key={lane.name} lane={lane} />
      ))}
    </tbody>
  </table>
);

const MOST_QUEUE = 20;

function LaneRow({ lane }: { readonly lane: Lane }) {
  const last = lane.runs.at(-1);
  const outcome = last && t.lanes.outcomes[last.outcome as keyof typeof t.lanes.outcomes];
  return (
    <tr>
      <th scope="row">{visible(lane.name)}</th>
      <td className="lane-queue">
        <span
          className="fill"
          style={{ width: `${Math.min(1, lane.queued / MOST_QUEUE) * 60}px` }}
          aria-hidden="true"
        />
        {lane.queued}
      </td>
      <td className="lane-strip">
        <Strip runs={lane.runs} />
      </td>
      <td>{last && t.lanes.run(visible(keyOf(last)), last.writes, outcome ?? visible(last.outcome))}</td>
      <td className="number">
        {t.lanes.runs(lane.total, lane.writes)}
        {lane.errors > 0 && <b className="lane-errors"> {lane.errors} ✕</b>}
      </td>
    </tr>
  );
}

const keyOf = ({ namespace, name }: { readonly namespace?: string | null; readonly name: string }): string =>
  namespace ? `${namespace}/${name}` : name;

/** One run at a time: what it saw, decided and wrote; and what comes next. */
function Stepping() {
  const { clusterId } = useCluster();
  const [ran, setRan] = useState<Stepped['ran']>([]);
  const [next, setNext] = useState<Stepped['next']>();
  const [failure, setFailure] = useState<Failure>();
  const [isStepping, setStepping] = useState(false);
  const step = (steps: number): void => {
    setStepping(true);
    request(STEP_CLOCK, { id: clusterId, steps })
      .then(
        ({ stepClock }) => {
          setFailure(undefined);
          setRan((before) => [...[...stepClock.ran].reverse(), ...before].slice(0, MAX_RAN));
          setNext(stepClock.next ?? null);
        },
        (error: unknown) => setFailure(toFailure(error)),
      )
      .finally(() => setStepping(false));
  };
  return (
    <section className="lanes-step" aria-label={t.lanes.clock}>
      <ClockControls />
      <Button tone="main" disabled={isStepping} onClick={() => step(1)}>
        {t.lanes.step}
      </Button>
      <ErrorNotice failure={failure} />
      <p aria-live="polite" className="lanes-next">
        {next === undefined && <span className="quiet">{t.lanes.stepHint}</span>}
        {next === null && t.lanes.nothingNext}
        {next && (
          <>
            <b>{t.lanes.next}:</b>{' '}
            {t.lanes.nextIs(visible(next.controller), visible(keyOf(next)), next.why, next.queued)}
          </>
        )}
      </p>
      {ran.length > 0 && (
        <ol className="lanes-ran" tabIndex={0} aria-label={t.lanes.step}>
          {ran.map((one, i) => (
            <RanCard key={`${one.at}/${one.controller}/${one.name}/${ran.length - i}`} ran={one} isLatest={i === 0} />
          ))}
        </ol>
      )}
    </section>
  );
}

const RanCard = ({ ran, isLatest }: { readonly ran: Stepped['ran'][number]; readonly isLatest: boolean }) => (
  <li className={isLatest ? 'latest' : ''}>
    <h2>
      {visible(ran.controller)} <small>{visible(ran.at)}</small>
    </h2>
    <div className="watch">
      <h3>{t.lanes.watch}</h3>
      <p>{visible(keyOf(ran))}</p>
      <p className="quiet">{ran.cause ? t.lanes.cause(ran.cause) : t.lanes.byTime}</p>
    </div>
    <div className="decide">
      <h3>{t.lanes.decide}</h3>
      <p>{t.lanes.outcomes[ran.outcome as keyof typeof t.lanes.outcomes] ?? visible(ran.outcome)}</p>
      {ran.error && <p className="quiet">{visible(ran.error)}</p>}
    </div>
    <div className="act">
      <h3>{t.lanes.act}</h3>
      {ran.writes.length === 0 && <p className="quiet">{t.lanes.noWrites}</p>}
      <ul>
        {ran.writes.map(({ revision, verb, resource, name, namespace }) => (
          <li key={revision}>{t.lanes.write(verb, visible(`${resource} ${keyOf({ namespace, name })}`), revision)}</li>
        ))}
      </ul>
    </div>
  </li>
);
